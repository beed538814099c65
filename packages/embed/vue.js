// Vue components for citations. The viewer itself is imported in the browser alone, so pages can be rendered on a server.

import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch, watchEffect } from "vue";

const events = {
  ready: "ready",
  resize: "resize",
  evidenceSelected: "evidence.selected",
  evidenceMissing: "evidence.missing",
  navigate: "navigate",
  linkExpired: "link.expired",
  error: "error",
  close: "close",
};
const appearance = { theme: String, lang: String, view: String, sandbox: { type: String, default: undefined } };

function passEvents(element, emit) {
  for (const [name, type] of Object.entries(events)) element.addEventListener(`highlighter:${type}`, (event) => emit(name, event));
}

/** <citation-viewer>: the passage that a signed link opens. */
export const CitationViewer = defineComponent({
  name: "CitationViewer",
  props: { ...appearance, src: String, title: String, fill: Boolean, refresh: Function },
  emits: Object.keys(events),
  setup(props, { emit, expose }) {
    const element = ref(null);
    expose({ element, send: (type, what) => element.value?.send(type, what) });
    onMounted(() => {
      passEvents(element.value, emit);
      watchEffect(() => (element.value.refresh = props.refresh));
      import("./dist/embed.js");
    });
    return () => {
      const { refresh, fill, ...attributes } = props;
      return h("citation-viewer", { ref: element, ...attributes, fill: fill ? "" : undefined });
    };
  },
});

/** An answer whose citations become buttons, also while it is being written: the slot is the answer. */
export const Citations = defineComponent({
  name: "Citations",
  props: { ...appearance, resolve: { type: Function, required: true }, link: Function, mode: String, as: { type: String, default: "div" } },
  emits: ["error"],
  setup(props, { emit, slots }) {
    const element = ref(null);
    let attached = null;
    let turn = 0;

    async function attach() {
      const now = (turn += 1);
      attached?.detach();
      attached = null;
      const embed = await import("./dist/embed.js");
      if (now !== turn) return;
      const { mode, theme, lang, view, sandbox } = props;
      const link = props.link && ((citation) => props.link(citation));
      const made = await embed.attach(element.value, { mode, theme, lang, view, sandbox, link, resolve: (text) => props.resolve(text) });
      if (now === turn) attached = made;
      else made.detach();
    }

    onMounted(() => {
      element.value.addEventListener("highlighter:error", (event) => emit("error", event));
      attach();
    });
    watch(() => [props.mode, props.theme, props.lang, props.view, props.sandbox, !props.link], attach);
    onBeforeUnmount(() => {
      turn += 1;
      attached?.detach();
    });
    return () => h(props.as, { ref: element, lang: props.lang }, slots.default?.());
  },
});
