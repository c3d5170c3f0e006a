const PCI_ADDRESS = /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/;

/** What a PCI address looks like, for people who wrote one that does not. */
export const PCI_ADDRESS_ADVICE = 'Write it like 0000:05:00.0.';

export function isPciAddress(text: string): boolean {
  return PCI_ADDRESS.test(text);
}
