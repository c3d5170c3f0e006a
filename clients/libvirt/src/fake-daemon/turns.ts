/** Lets the event loop go round until the condition holds; the time limit of the test ends it otherwise. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turns(1);
}

/** Lets the event loop go round so many times. */
export async function turns(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}
