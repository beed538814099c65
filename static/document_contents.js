// The contents on the page of a document fold as they do in the viewer.

import { foldOutline } from "./outline.js";

foldOutline(document.querySelector(".contents"));
