export { openOutbox, type OutboxOptions } from './open-outbox.ts';
export type {
  OutboxEntry,
  OutboxGap,
  OutboxGapReason,
  OutboxItem,
  OutboxLimits,
  OutboxTotals,
} from './outbox-entry.ts';
export { isOutboxError, OutboxError, type OutboxErrorCode } from './outbox-error.ts';
export type { OutboxNotice } from './outbox-notice.ts';
export type { Outbox, OutboxState } from './outbox.ts';
export type { OutboxDraft } from './waiting-drafts.ts';
