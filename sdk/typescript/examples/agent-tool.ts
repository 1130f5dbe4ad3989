// Guards the tool calls of an AI agent. A refused call is an answer to the agent, not an exception of the program.

import { DecisionRefusedError, Govern } from '@govern/sdk';

/** A call that the model asks for. `id` is unique, so that a repeated call is recorded once. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

const tools: Record<string, (args: any) => Promise<unknown>> = {
  pay: async ({ amount, payee }) => `paid ${amount} to ${payee}`,
};

/** Executes a tool call if the policies permit it, and returns the text for the model. */
export async function execute(govern: Govern, call: ToolCall): Promise<string> {
  const request = {
    context: {
      decision_type: 'tool_call',
      fields: { tool: call.name, ...call.arguments },
      metadata: { actor_id: 'agent-7' },
    },
    action: { type: call.name, reference_id: call.id },
    idempotency_key: `tool-call-${call.id}`,
  };
  try {
    // A payment must not happen without a decision, so the decision is recorded first.
    const { value } = await govern.guard(request, () => tools[call.name]!(call.arguments), { recordFirst: true });
    return String(value);
  } catch (error) {
    if (!(error instanceof DecisionRefusedError)) throw error;
    const reasons = error.result.violations.map((violation) => violation.reason).join('; ');
    return `The call was not executed (${error.verdict}): ${reasons}`;
  }
}
