import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 200;
/** So much garbage is worth a collection, which takes 10 ms or so, once there is nothing else to do. */
const GARBAGE_BYTES = 1_500_000;
/** So much is worth one in the midst of work. */
const MUCH_GARBAGE_BYTES = 3_000_000;
/** What comes about between two looks while nothing is done. */
const IDLE_BYTES = 100_000;

/**
 * Collects garbage sooner than V8 would: that lets a small heap grow by half again, and by more where processors are
 * busy. Looks only now and then, and waits for a quiet moment if it can.
 */
export function keepMemoryLow(): Disposable {
  const collect = exposedCollector();
  let floor = usedBytes();
  let last = floor;
  const look = (): void => {
    const used = usedBytes();
    const isIdle = Math.abs(used - last) < IDLE_BYTES;
    last = used;
    if (used - floor < (isIdle ? GARBAGE_BYTES : MUCH_GARBAGE_BYTES)) return;
    collect();
    floor = last = usedBytes();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

// The collector is a property of the global object, of those that are made after the flag was set.
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collector: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collector === 'function' ? () => void Reflect.apply(collector, undefined, []) : () => undefined;
}
