/** Short synthesised sounds. Off by default. */

const KEY = "ludus.sound";

/** @type {AudioContext | null} */
let context = null;

export function soundOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
export function setSound(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage the sounds stay off.
  }
}

/** Pitch in hertz and length in seconds of each sound. */
const SOUNDS = {
  move: [[190, 0.07]],
  capture: [
    [150, 0.09],
    [240, 0.06],
  ],
  end: [
    [330, 0.16],
    [440, 0.16],
    [550, 0.3],
  ],
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of SOUNDS[name]) {
    knock(context, pitch, at, length);
    at += length * 0.7;
  }
}

/**
 * A damped tone, like wood on wood.
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {number} at
 * @param {number} length
 */
function knock(audio, pitch, at, length) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.8, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.02);
  volume.gain.setValueAtTime(0.25, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}
