/** What the page uses of lit, from one address, so that boards needn't know where it is. */
export { html, svg, render, nothing } from "./vendor/lit-html/lit-html.js";
export { directive, Directive } from "./vendor/lit-html/directive.js";
export { repeat } from "./vendor/lit-html/directives/repeat.js";
export { classMap } from "./vendor/lit-html/directives/class-map.js";
export { live } from "./vendor/lit-html/directives/live.js";
export { ref } from "./vendor/lit-html/directives/ref.js";
export { keyed } from "./vendor/lit-html/directives/keyed.js";
