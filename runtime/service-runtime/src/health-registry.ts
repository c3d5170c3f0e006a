import { ServiceError } from './service-error.ts';

/** What a check speaks for: that the process is alive, or that it can serve. */
export type HealthKind = 'healthz' | 'livez' | 'readyz';

export interface HealthCheck {
  readonly name: string;
  /** Where it counts; everywhere unless said otherwise. */
  readonly kinds?: readonly HealthKind[];
  /** Throws when something is wrong. */
  check(signal: AbortSignal): void | Promise<void>;
}

export interface HealthResult {
  readonly name: string;
  readonly isExcluded: boolean;
  readonly error?: unknown;
}

export interface HealthReport {
  readonly kind: HealthKind;
  readonly isHealthy: boolean;
  readonly results: readonly HealthResult[];
  /** Names that were to be left out and do not exist. */
  readonly unknownExclusions: readonly string[];
}

/** The checks of a process. `ping` is always among them and always passes. */
export class HealthRegistry {
  readonly #checks = new Map<string, HealthCheck>([['ping', { name: 'ping', check: () => undefined }]]);

  /** Adds a check until what it returns is disposed of. */
  add(check: HealthCheck): Disposable {
    if (this.#checks.has(check.name)) {
      throw new ServiceError('invalid-check', `there is a health check ${check.name} already`);
    }
    this.#checks.set(check.name, check);
    return { [Symbol.dispose]: () => void this.#checks.delete(check.name) };
  }

  has(kind: HealthKind, name: string): boolean {
    const check = this.#checks.get(name);
    return check !== undefined && countsFor(check, kind);
  }

  /** Runs the checks of a kind, or the one named. A check that has not answered when the signal fires has failed. */
  async run(
    kind: HealthKind,
    options: { readonly signal: AbortSignal; readonly only?: string; readonly exclude?: readonly string[] },
  ): Promise<HealthReport> {
    const { signal, only, exclude = [] } = options;
    const checks = [...this.#checks.values()].filter(
      (check) => countsFor(check, kind) && (only === undefined || check.name === only),
    );
    const results = await Promise.all(
      checks.map(async (check) =>
        exclude.includes(check.name) ? { name: check.name, isExcluded: true } : runCheck(check, signal),
      ),
    );
    const unknownExclusions = exclude.filter((name) => !checks.some((check) => check.name === name));
    return { kind, isHealthy: results.every((result) => !('error' in result)), results, unknownExclusions };
  }
}

function countsFor(check: HealthCheck, kind: HealthKind): boolean {
  return check.kinds?.includes(kind) ?? true;
}

async function runCheck(check: HealthCheck, signal: AbortSignal): Promise<HealthResult> {
  const late = Promise.withResolvers<never>();
  const onAbort = (): void => late.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([check.check(signal), late.promise]);
    return { name: check.name, isExcluded: false };
  } catch (error) {
    return { name: check.name, isExcluded: false, error };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
