/** As long as any work that ends should take, and a moment for a loop that does not. */
const TURNS = 2_000;

/**
 * Whether something keeps the event loop turning without a pause: whoever asks for another turn in each turn. It takes one
 * turn to know that nothing does, and some milliseconds to know that something does.
 */
export async function isSpinning(): Promise<boolean> {
  for (let turn = 0; turn < TURNS; turn++) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (!process.getActiveResourcesInfo().includes('Immediate')) return false;
  }
  return true;
}
