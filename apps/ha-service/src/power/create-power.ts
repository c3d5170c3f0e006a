import { BmcError, isBmcError, type PowerController, type PowerState } from '@smalt/bmc';
import { messageOf } from '@smalt/service-runtime';

import type { PowerPort } from '../ports/power-port.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import { levelsOf, type HostLevel } from './host-level.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import { openController, type ControllerDeps } from './open-controller.ts';
import type { Power, PowerReport } from './power.ts';
import type { PowerSettings } from './power-settings.ts';
import { runCleanUp } from './run-clean-up.ts';
import { SwitchClaims } from './switch-claims.ts';
import { targetOf } from './target-of.ts';

export interface PowerDeps extends ControllerDeps {
  /** Asked for anew at each call: the configuration may change while a host is being recovered. */
  readonly settings: () => Pick<PowerSettings, 'levels' | 'cleanUp'>;
  /** What the Hypervisor object of a host says; undefined when there is none. */
  readonly facts: (host: string) => HostPowerFacts | undefined;
  /** What those of all hosts say. */
  readonly fleet: () => readonly HostPowerFacts[];
  readonly clock: Pick<ServiceClock, 'now'>;
}

/** The power switches of the fleet by the settings. Nothing is kept open between two calls. */
export function createPower(deps: PowerDeps): Power {
  return new FleetPower(deps);
}

class FleetPower implements Power {
  readonly #deps: PowerDeps;
  readonly #claims: SwitchClaims;
  readonly #closing = new Set<Promise<void>>();

  constructor(deps: PowerDeps) {
    this.#deps = deps;
    this.#claims = new SwitchClaims(deps);
  }

  methodsOf(host: string): readonly string[] {
    return this.#levels(host).map(({ name }) => name);
  }

  rivalOf(host: string): string | undefined {
    const rivals = this.#levels(host).map((level) => this.#claims.rivalOf(host, level));
    return rivals.includes(undefined) ? undefined : rivals[0];
  }

  async powerOff(host: string, method: string, signal: AbortSignal): Promise<void> {
    await this.#with(this.#level(host, method), signal, (controller) => controller.powerOff(signal));
  }

  async readPower(host: string, method: string, signal: AbortSignal): ReturnType<PowerPort['readPower']> {
    const session = `${method}-${this.#deps.newId()}`;
    const level = this.#level(host, method);
    const reading = await this.#with(level, signal, (controller) => controller.readPower(signal));
    const target = targetOf(level, reading.method);
    const message = [`${reading.method}: ${reading.state}`, reading.message].filter((text) => text !== undefined);
    return { power: plainPower(reading.state), session, message: message.join(': '), method: target };
  }

  async release(host: string, signal: AbortSignal): Promise<void> {
    for (const level of this.#levels(host)) {
      // Only there does an order stand until it is taken back.
      if (level.driver !== 'ironcore') continue;
      this.#requireOwn(host, level);
      await this.#with(level, signal, (controller) => controller.powerOn(signal));
    }
  }

  async cleanUp(host: string, signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const program of this.#deps.settings().cleanUp) {
      try {
        await runCleanUp(program, this.#facts(host), signal);
      } catch (error) {
        signal.throwIfAborted();
        // What one program could not do must not keep the next from what it can do.
        failures.push(error);
      }
    }
    if (failures.length === 0) return;
    throw new BmcError('refused', failures.map(messageOf).join('; '), { cause: failures[0] });
  }

  async checkReachable(host: string, signal: AbortSignal): Promise<readonly PowerReport[]> {
    return await Promise.all(this.methodsOf(host).map((method) => this.#report(host, method, signal)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#closing);
  }

  async #report(host: string, method: string, signal: AbortSignal): Promise<PowerReport> {
    const began = this.#deps.clock.now();
    const told = await this.readPower(host, method, signal).then(
      ({ power, message }) => ({ power, message, isReachable: true }),
      (error: unknown) => {
        signal.throwIfAborted();
        return { power: 'unknown', message: messageOf(error), isReachable: false } as const;
      },
    );
    return { host, method, ...told, tookMs: this.#deps.clock.now() - began };
  }

  async #with<T>(level: HostLevel, signal: AbortSignal, work: (controller: PowerController) => Promise<T>): Promise<T> {
    const controller = await openController(this.#deps, level, signal);
    try {
      return await work(controller);
    } catch (error) {
      signal.throwIfAborted();
      throw isBmcError(error) ? error : new BmcError('bad-answer', messageOf(error), { cause: error });
    } finally {
      this.#close(controller);
    }
  }

  /** Sessions of calls that ended early are closed behind the caller's back: it has a deadline to keep. */
  #close(controller: Partial<AsyncDisposable>): void {
    const closing = controller[Symbol.asyncDispose]?.();
    if (closing === undefined) return;
    const closed = Promise.resolve(closing).catch((error: unknown) =>
      this.#deps.ignore(error, 'a power controller could not be closed'),
    );
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }

  #level(host: string, method: string): HostLevel {
    const level = this.#levels(host).find(({ name }) => name === method);
    if (level === undefined) {
      throw new BmcError('bad-setting', `${host} has no level ${method} now: check levels and the address of its BMC`);
    }
    this.#requireOwn(host, level);
    return level;
  }

  /** Whoever of the two is wrong: one would be powered off for the other, and be taken for its proof. */
  #requireOwn(host: string, level: HostLevel): void {
    const rival = this.#claims.rivalOf(host, level);
    if (rival === undefined) return;
    const what = `${host} and ${rival} name the same power switch, by level ${level.name} of ${host}`;
    throw new BmcError('bad-setting', `${what}: neither is powered off by it before one of them names its own`);
  }

  #levels(host: string): readonly HostLevel[] {
    return levelsOf(this.#deps.settings(), this.#facts(host));
  }

  #facts(host: string): HostPowerFacts {
    return this.#deps.facts(host) ?? { name: host, address: undefined, labels: {} };
  }
}

/** A host on its way down may still write, and so may one that is paused. */
function plainPower(state: PowerState): 'on' | 'off' | 'unknown' {
  switch (state) {
    case 'on':
    case 'powering-on':
    case 'paused':
      return 'on';
    case 'off':
      return 'off';
    case 'powering-off':
    case 'unknown':
      return 'unknown';
  }
}
