/** An order is given within this time after it was decided, or not at all: whoever stood still must not act late. */
export const ACT_WITHIN_MS = 5_000;
