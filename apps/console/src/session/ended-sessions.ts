/** Sessions that were ended before their time. Each is known until it would have ended by itself. */
export interface EndedSessions {
  /** Throws `unavailable` where that is not known yet. */
  has(id: string): boolean;
  /** It counts here from the first moment on; resolves when it is written down. */
  add(id: string, until: number): Promise<void>;
  /** Calls back for each that is ended elsewhere from now on. */
  onEnded(tell: (id: string) => void): void;
}
