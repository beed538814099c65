// What servers import in place of the viewer, which needs a browser: pages that are rendered on a server import it unharmed.

function needBrowser() {
  throw Error("@highlighter/embed shows citations in a browser; on a server import @highlighter/embed/server.");
}

export class CitationViewer {
  constructor() {
    needBrowser();
  }
}
export const attach = async () => needBrowser();
export const words = {};
