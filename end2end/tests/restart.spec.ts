import { Govern } from '../support/govern.js';
import { expect, test } from '../support/world.js';

test('what was acknowledged outlives a killed server, and the next one starts', async () => {
  const govern = await Govern.start();
  try {
    const { items } = await govern.api('GET', '/v1/decisions?decision_type=ai_tool_call&limit=1');
    const { context } = await govern.api('GET', `/v1/decisions/${items[0].id}`);
    const request = { context, idempotency_key: 'before the power went' };
    const { decision } = await govern.api('POST', '/v1/decisions/record', request);
    await govern.kill();

    await govern.serve();
    const again = await govern.api('POST', '/v1/decisions/record', request);
    expect(again).toEqual({ decision, is_new: false });
  } finally {
    await govern.stop();
  }
});
