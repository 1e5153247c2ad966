/** The cover of Kraken: eight arms and a little boat. */
import { svg } from "/page/lit.js";
import { sea } from "/page/drawing/sea.js";

export function cover() {
  const arms = [60, 130, 200, 400, 470, 540];
  return svg`<g><rect width="600" height="300" fill="#cfe3ea" />
    ${arms.map((x) => svg`<path d=${`M${x} 300C${x - 40} 220 ${x + 50} 170 ${x} 90`} fill="none" stroke="#7b3f61" stroke-width="26" stroke-linecap="round" />`)}
    <path d="M240 190h120l-24 40h-72Z" fill="#c1544a" stroke="#1d2a36" stroke-width="4" />${sea(0, 230, 600, 70, 20)}</g>`;
}
