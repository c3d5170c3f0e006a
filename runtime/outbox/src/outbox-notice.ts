/** What the owner should know: the disk is full, or has room again; the file was damaged; items had to go. */
export type OutboxNotice =
  | { readonly kind: 'degraded'; readonly error: unknown }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'damaged'; readonly error: unknown; readonly movedTo: string }
  | { readonly kind: 'dropped'; readonly items: number };
