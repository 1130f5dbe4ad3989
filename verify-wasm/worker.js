// The worker thread of the verifier. It checks one bundle at a time and reports when a check starts. The page
// measures its timeout from that message and terminates a worker that exceeds it. The worker makes no requests
// except for the verifier itself.
import start, { check, summary } from './verifier.js';

const started = start().then(() => true, () => false);
started.then((isReady) => postMessage({ status: isReady ? 'ready' : 'missing' }));

const bytes = async (file) => file && new Uint8Array(await file.arrayBuffer());

async function verify({ bundle, trust, lines, isPublished }) {
  let files;
  try {
    files = [await bytes(bundle), await bytes(trust)];
  } catch {
    return { status: 'refused', text: 'UNREADABLE' };
  }
  postMessage({ status: 'started' });
  const startedAt = performance.now();
  try {
    const text = check(...files, lines, isPublished);
    const durationMs = performance.now() - startedAt;
    const stated = files[0] && summary(files[0]);
    return { status: 'done', text, stated, durationMs };
  } catch (error) {
    // A string is an error code of the verifier; any other error ended it.
    return typeof error === 'string' ? { status: 'refused', text: error } : { status: 'ended' };
  }
}

onmessage = async ({ data }) => {
  if (await started) postMessage(await verify(data));
};
