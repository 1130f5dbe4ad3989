// The verifier's own thread. It takes one bundle at a time, and says when it begins: the page counts from
// then, and ends a thread that takes too long. It asks nobody for anything but the verifier itself.
import start, { check } from './verifier.js';

const started = start().then(() => true, () => false);
started.then((is) => postMessage({ said: is ? 'ready' : 'missing' }));

const bytes = async (file) => file && new Uint8Array(await file.arrayBuffer());

async function checked({ bundle, trust, lines, isPublished }) {
  let given;
  try {
    given = [await bytes(bundle), await bytes(trust)];
  } catch {
    return { said: 'refused', text: 'UNREADABLE' };
  }
  postMessage({ said: 'begun' });
  const begun = performance.now();
  try {
    const text = check(...given, lines, isPublished);
    return { said: 'done', text, took: performance.now() - begun };
  } catch (error) {
    // A word of the verifier's, or its end.
    return typeof error === 'string' ? { said: 'refused', text: error } : { said: 'ended' };
  }
}

onmessage = async ({ data }) => {
  if (await started) postMessage(await checked(data));
};
