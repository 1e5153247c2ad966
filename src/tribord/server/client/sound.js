/** Sound, synthesised: wood, a splash, a bell, paper, dice, a coin, horns. Silent until the first touch. */
import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** @param {number} seconds @param {AudioContext} audio */
function noise(seconds, audio) {
  const buffer = audio.createBuffer(1, Math.ceil(seconds * audio.sampleRate), audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  return source;
}

/** @param {AudioContext} audio @param {number} peak @param {number} seconds @param {number} [attack] */
function envelope(audio, peak, seconds, attack = 0.005) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, audio.currentTime);
  gain.gain.linearRampToValueAtTime(peak, audio.currentTime + attack);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + seconds);
  gain.connect(audio.destination);
  return gain;
}

/** @param {AudioContext} audio @param {BiquadFilterType} type @param {number} from @param {number} to @param {number} seconds @param {number} peak */
function hiss(audio, type, from, to, seconds, peak) {
  const filter = audio.createBiquadFilter();
  filter.type = type;
  filter.frequency.setValueAtTime(from, audio.currentTime);
  filter.frequency.exponentialRampToValueAtTime(to, audio.currentTime + seconds);
  const source = noise(seconds, audio);
  source.connect(filter).connect(envelope(audio, peak, seconds));
  source.start();
}

/** @param {AudioContext} audio @param {number} pitch @param {number} seconds @param {number} peak @param {OscillatorType} [type] */
function tone(audio, pitch, seconds, peak, type = "sine") {
  const oscillator = audio.createOscillator();
  oscillator.type = type;
  oscillator.frequency.value = pitch;
  oscillator.connect(envelope(audio, peak, seconds));
  oscillator.start();
  oscillator.stop(audio.currentTime + seconds);
}

/** A horn; `fall` is how far its pitch sinks. @param {AudioContext} audio @param {number} pitch @param {number} seconds @param {number} peak @param {number} [fall] */
function horn(audio, pitch, seconds, peak, fall = 1) {
  const oscillator = audio.createOscillator();
  oscillator.type = "sawtooth";
  oscillator.frequency.setValueAtTime(pitch, audio.currentTime);
  oscillator.frequency.exponentialRampToValueAtTime(pitch * fall, audio.currentTime + seconds);
  const mute = audio.createBiquadFilter();
  mute.type = "lowpass";
  mute.frequency.value = 4 * pitch;
  oscillator.connect(mute).connect(envelope(audio, peak, seconds, 0.04));
  oscillator.start();
  oscillator.stop(audio.currentTime + seconds);
}

/** @type {Record<string, (audio: AudioContext, depth: number) => void>} */
const SOUNDS = {
  knock: (audio) => {
    tone(audio, 170, 0.09, 0.25, "triangle");
    hiss(audio, "bandpass", 900, 300, 0.05, 0.12);
  },
  splash: (audio, depth) => hiss(audio, "lowpass", 2600 - depth * 350, 260, 0.55 + depth * 0.06, 0.22),
  bell: (audio) => {
    tone(audio, 880, 0.9, 0.12);
    tone(audio, 1318, 0.6, 0.05);
  },
  paper: (audio) => hiss(audio, "highpass", 2500, 5200, 0.09, 0.07),
  dice: (audio) => {
    for (let i = 0; i < 4; i++) setTimeout(() => hiss(audio, "bandpass", 2000, 1200, 0.04, 0.14), i * 70);
  },
  coin: (audio) => tone(audio, 1560, 0.12, 0.05, "triangle"),
  triumph: (audio) => {
    [392, 523, 659, 784, 659, 784].forEach((pitch, i) => setTimeout(() => horn(audio, pitch, i === 5 ? 0.9 : 0.22, 0.08), i * 150));
    setTimeout(() => hiss(audio, "bandpass", 700, 1900, 1.6, 0.1), 600); // a deck full of people
  },
  trombone: (audio) => [233, 220, 208, 196].forEach((pitch, i) => setTimeout(() => horn(audio, pitch, i === 3 ? 1.3 : 0.34, 0.09, i === 3 ? 0.84 : 0.98), i * 380)),
  fanfare: (audio) => [523, 659, 784].forEach((pitch, i) => setTimeout(() => tone(audio, pitch, 0.5, 0.1, "triangle"), i * 140)),
};

/** @param {string} sound @param {number} [depth] 0 near the surface, 4 the deepest */
export function play(sound, depth = 0) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[sound]?.(context, depth);
}
