import { GovernServer } from '../support/govern.js';
import { expect, test } from '../support/fixtures.js';

test('an acknowledged decision survives SIGKILL, and the server restarts', async () => {
  const server = await GovernServer.start();
  try {
    const { items } = await server.api('GET', '/v1/decisions?decision_type=ai_tool_call&limit=1');
    const { context } = await server.api('GET', `/v1/decisions/${items[0].id}`);
    const request = { context, idempotency_key: 'before the crash' };
    const { decision } = await server.api('POST', '/v1/decisions/record', request);
    await server.kill();

    await server.serve();
    const repeated = await server.api('POST', '/v1/decisions/record', request);
    expect(repeated).toEqual({ decision, is_new: false });
  } finally {
    await server.stop();
  }
});
