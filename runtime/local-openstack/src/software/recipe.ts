/**
 * A digest of the sources that make the software and its first state, by which the cache is known. A test computes it anew: the program
 * cannot, because it may be a bundle.
 */
export const RECIPE = '0304cfc1fc0c';
