/** Makes tasks wait for each other, in the order in which they came. One that fails does not disturb the next. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    const turn = last.then(task, task);
    last = turn.catch(() => undefined);
    return await turn;
  };
}
