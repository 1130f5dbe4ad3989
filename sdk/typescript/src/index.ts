export { Govern } from './client.js';
export * from './errors.js';
export type * from './openapi.js';
export type { GuardOptions, GuardResult } from './guard.js';
export { Pager } from './pager.js';
export { canonicalJson } from './canonical.js';
export {
  type Check,
  type CheckName,
  type ReceiptTrust,
  type ReceiptVerification,
  trustOf,
  verifyReceipt,
} from './receipt.js';
export type { OptionalKey } from './resources.js';
export type { DecisionEvent, StreamedDecision, StreamOptions } from './stream.js';
export {
  bytes,
  json,
  text,
  unread,
  type Call,
  type GovernOptions,
  type Reader,
  type RequestOptions,
} from './transport.js';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.js';
