import type { Clock } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { isBusAway } from '@smalt/systemd';

import type { AgentContext } from '../agent-context.ts';
import { isEvacuated } from '../reboot/decide-evacuation.ts';
import type { HostEvacuation } from '../reboot/host-evacuation.ts';
import { decideUpdate, LATEST, type UpdateStep } from './decide-update.ts';
import { runUpdate, judgeUnit, type UpdateSystemd } from './run-update.ts';
import { updateCondition, type UpdateState } from './update-condition.ts';
import { readMemory, writeMemory, type UpdateMemory } from './update-memory.ts';

export const NAME = 'os-update';
/** A unit that does not stop is killed by systemd, after 90 s unless told otherwise. */
const STOP_MS = 120_000;
const SETTLE_MS = 100;
const REBOOT_UNIT = 'systemd-sysupdate-reboot.target';

export interface UpdaterSettings {
  /** Nothing where there is no D-Bus. */
  readonly systemd: UpdateSystemd | undefined;
  readonly evacuation: Pick<HostEvacuation, 'evacuate' | 'withdraw'>;
  /** Tells one boot of the host from the next. */
  readonly readBootId: () => Promise<string>;
  readonly tries: number;
  readonly retryMs: number;
  readonly updateLimitMs: number;
  readonly evacuationLimitMs: number;
  readonly rebootRetryMs: number;
  readonly clock: Clock;
}

export type UpdaterContext = Pick<
  AgentContext,
  'stateDirectory' | 'hypervisor' | 'board' | 'logger' | 'ignore' | 'now'
>;

/** Brings the operating system to the version that the Hypervisor wants, one step at a time. */
export class OsUpdater {
  readonly #context: UpdaterContext;
  readonly #settings: UpdaterSettings;
  #memory: UpdateMemory | undefined;
  #hasAskedForRoom = false;

  constructor(context: UpdaterContext, settings: UpdaterSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /**
   * Does the next step and returns after how long to look again, unless the Hypervisor changes first. An update that has
   * begun is seen through whatever is wanted meanwhile; a reboot is not begun once `changed` fires.
   */
  async step(hypervisor: Hypervisor, changed: AbortSignal, signal: AbortSignal): Promise<number> {
    const bootId = await this.#settings.readBootId();
    const memory = (this.#memory ??= await this.#recall(hypervisor));
    const { version = '', reboot = false } = hypervisor.spec ?? {};
    const step = decideUpdate({
      version,
      reboot,
      running: hypervisor.status?.operatingSystem?.version,
      memory,
      bootId,
      nowMs: this.#context.now().getTime(),
      tries: this.#settings.tries,
      retryMs: this.#settings.retryMs,
    });
    if (step.kind !== 'reboot') await this.#giveRoomBack(signal);
    const evacuate = hypervisor.spec?.evacuateOnReboot === true;
    return await this.#carryOut(step, { version, bootId, evacuate, changed }, signal);
  }

  async #carryOut(step: UpdateStep, wish: Wish, signal: AbortSignal): Promise<number> {
    const { version } = wish;
    switch (step.kind) {
      case 'idle':
        await this.#forgetWish();
        return Infinity;
      case 'refuse':
        this.#tell({ kind: 'stopped', why: step.why, next: 'nothing was started' });
        return Infinity;
      case 'installed':
        this.#tell({ kind: 'installed', version });
        return Infinity;
      case 'wait':
        this.#tell({ kind: 'stopped', why: step.why, next: this.#nextTry() });
        return step.milliseconds;
      case 'give-up':
        this.#tell({ kind: 'stopped', why: step.why, next: GIVEN_UP });
        return Infinity;
      case 'update':
        return await this.#update(step.unit, wish, signal);
      case 'reboot':
        return await this.#reboot(wish, signal);
    }
  }

  /** Returns 0: what came of it decides what is next. */
  async #update(unit: string, { version, bootId }: Wish, signal: AbortSignal): Promise<number> {
    const { systemd, tries } = this.#settings;
    if (systemd === undefined) {
      this.#tell({ kind: 'stopped', why: 'there is no systemd to update the host with', next: 'nothing was started' });
      return Infinity;
    }
    const known = this.#memory?.version === version ? this.#memory : undefined;
    const wasBegun = known?.begunInBoot === bootId;
    const begun = { ...this.#memory, version, triesLeft: known?.triesLeft ?? tries, failure: known?.failure };
    await this.#keep({ ...begun, begunInBoot: bootId });
    this.#tell({ kind: 'running', version }, true);
    this.#context.logger.info({ version, unit, step: NAME }, 'the operating system is being updated');
    const why = await this.#run(systemd, unit, wasBegun, signal);
    signal.throwIfAborted();
    if (why === undefined) {
      const installed = { installed: version, installedInBoot: bootId };
      await this.#keep({ version, triesLeft: tries, ...installed });
      this.#context.logger.info({ version, unit, step: NAME }, 'the operating system was updated');
    } else {
      const failure = { message: `${version} update has failed: ${why}`, atMs: this.#context.now().getTime() };
      await this.#keep({ ...begun, triesLeft: begun.triesLeft - 1, begunInBoot: undefined, failure });
      this.#context.logger.warn({ version, unit, why, step: NAME }, 'the operating system was not updated');
    }
    return 0;
  }

  /** Runs the unit to its end; says why that was no success. */
  async #run(
    systemd: UpdateSystemd,
    unit: string,
    wasBegun: boolean,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { clock, updateLimitMs } = this.#settings;
    const late = new AbortController();
    const cancel = clock.later(updateLimitMs, () => late.abort());
    const until = AbortSignal.any([signal, late.signal]);
    try {
      // It failed while no agent was there to see it. To start it once more would be a try that nobody counts.
      if (wasBegun && (await hasFailed(systemd, unit, clock, until)))
        return `${unit} has failed: see journalctl -u ${unit}`;
      return await runUpdate(systemd, unit, clock, until);
    } catch (error) {
      signal.throwIfAborted();
      // The unit goes on without the bus; whoever looks again finds it running, failed, or done.
      if (isBusAway(error)) throw error;
      if (late.signal.aborted) return await this.#stopLate(systemd, unit, signal);
      return error instanceof Error ? error.message : String(error);
    } finally {
      cancel();
    }
  }

  /** Left alone, it would run on beside the next try, or refuse it. */
  async #stopLate(systemd: UpdateSystemd, unit: string, signal: AbortSignal): Promise<string> {
    const why = `${unit} did not end within ${minutes(this.#settings.updateLimitMs)}`;
    try {
      const result = await systemd.stopUnit(unit, AbortSignal.any([signal, AbortSignal.timeout(STOP_MS)]));
      return result === 'done' ? `${why} and was stopped` : `${why}, and stopping it ended with ${result}`;
    } catch (error) {
      signal.throwIfAborted();
      return `${why} and could not be stopped: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async #reboot(wish: Wish, signal: AbortSignal): Promise<number> {
    const { systemd, rebootRetryMs } = this.#settings;
    const { version } = wish;
    const obstacle = wish.evacuate ? await this.#makeRoom(wish, signal) : undefined;
    if (wish.changed.aborted) return 0;
    if (obstacle !== undefined) {
      const reboot = `the reboot waits because the host was not emptied: ${obstacle}`;
      this.#tell({ kind: 'installed', version, reboot });
      return rebootRetryMs;
    }
    this.#tell({ kind: 'installed', version, reboot: 'the host reboots' });
    this.#context.logger.info({ version, step: NAME }, 'the host reboots into its new operating system');
    const result = await systemd?.startUnit(REBOOT_UNIT, signal);
    if (result !== 'done') {
      this.#tell({
        kind: 'installed',
        version,
        reboot: `the host did not reboot: ${REBOOT_UNIT} ended with ${result}`,
      });
    }
    return rebootRetryMs;
  }

  /** Has the host emptied; says why it is not. */
  async #makeRoom({ version, changed }: Wish, signal: AbortSignal): Promise<string | undefined> {
    const { evacuation, evacuationLimitMs } = this.#settings;
    this.#hasAskedForRoom = true;
    this.#tell({ kind: 'installed', version, reboot: 'its guests move away before the host reboots' });
    try {
      const outcome = await evacuation.evacuate(evacuationLimitMs, AbortSignal.any([signal, changed]));
      if (isEvacuated(outcome)) return undefined;
      return 'why' in outcome ? outcome.why : outcome.kind;
    } catch (error) {
      signal.throwIfAborted();
      if (!changed.aborted) throw error;
      return 'something else is wanted';
    }
  }

  /** The reboot that the host was emptied for is off. */
  async #giveRoomBack(signal: AbortSignal): Promise<void> {
    if (!this.#hasAskedForRoom) return;
    await this.#settings.evacuation.withdraw(signal);
    this.#hasAskedForRoom = false;
  }

  /** Whoever wants the same version again gets all tries again, and the newest one anew. */
  async #forgetWish(): Promise<void> {
    const { installed, installedInBoot, version } = this.#memory ?? { version: '' };
    const kept = installed === LATEST ? {} : { installed, installedInBoot };
    if (version !== '' || installed === LATEST)
      await this.#keep({ version: '', triesLeft: this.#settings.tries, ...kept });
    this.#tell(undefined);
  }

  async #recall({ status }: Hypervisor): Promise<UpdateMemory> {
    const { installed } = status?.updateStatus ?? {};
    const known = installed === undefined || installed === 'unknown' ? undefined : installed;
    const kept = await readMemory(this.#context.stateDirectory);
    return kept ?? { version: '', triesLeft: this.#settings.tries, installed: known };
  }

  async #keep(memory: UpdateMemory): Promise<void> {
    this.#memory = memory;
    try {
      await writeMemory(this.#context.stateDirectory, memory);
    } catch (error) {
      this.#context.logger.warn({ error, step: NAME }, 'cannot keep what is known of the update: a restart forgets it');
    }
  }

  #tell(state: UpdateState | undefined, inProgress = false): void {
    const { triesLeft, installed } = this.#memory ?? { triesLeft: this.#settings.tries };
    const updateStatus = { inProgress, retry: triesLeft, ...(installed !== undefined && { installed }) };
    const conditions = state === undefined ? [] : [updateCondition(state)];
    this.#context.board.state(NAME, { fields: { updateStatus }, conditions });
  }

  #nextTry(): string {
    const { triesLeft = 0 } = this.#memory ?? {};
    return triesLeft === 1 ? 'it is tried once more' : `it is tried ${triesLeft} more times`;
  }
}

const GIVEN_UP = 'it is not tried again until spec.version changes';

interface Wish {
  readonly version: string;
  readonly bootId: string;
  /** Whether the host has to be emptied before it reboots. */
  readonly evacuate: boolean;
  /** Fires when something else is wanted. */
  readonly changed: AbortSignal;
}

async function hasFailed(systemd: UpdateSystemd, unit: string, clock: Clock, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const [state] = await systemd.unitStates([unit], signal);
    // On its way to its end: to start it now would begin it anew, before anybody knows how it ended.
    if (state?.activeState !== 'deactivating') return state !== undefined && judgeUnit(state) === 'failed';
    await clock.wait(SETTLE_MS, signal);
  }
}

function minutes(milliseconds: number): string {
  const count = Math.round(milliseconds / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
}
