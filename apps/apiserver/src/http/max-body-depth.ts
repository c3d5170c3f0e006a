/**
 * How deep objects and lists of a request may be nested. Kubernetes allows 10,000; no kind comes near a hundred, and
 * everything here that follows the nesting of an object must get to its end on an ordinary stack.
 */
export const MAX_BODY_DEPTH = 500;
