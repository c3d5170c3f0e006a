/** Takes what a test starts now and awaits later. Should the test fail before, there is nobody left to hear of its failure. */
export function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
