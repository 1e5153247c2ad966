/** Shaking the device, if it has a sensor. */

const HARD = 18; // m/s² beyond rest

/** Call back when the device is shaken; returns a function that stops listening. @param {() => void} shaken */
export function onShake(shaken) {
  const feel = (/** @type {DeviceMotionEvent} */ { acceleration }) => {
    const { x, y, z } = acceleration ?? {};
    if (Math.hypot(x ?? 0, y ?? 0, z ?? 0) > HARD) shaken();
  };
  addEventListener("devicemotion", feel);
  return () => removeEventListener("devicemotion", feel);
}

/** Some devices need permission, once, after a touch. */
export function allowShake() {
  const motion = /** @type {any} */ (globalThis.DeviceMotionEvent);
  motion?.requestPermission?.().catch(() => {});
}
