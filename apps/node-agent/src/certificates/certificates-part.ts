import { systemClock, type AgentPart, WakeUp } from '@smalt/controller-runtime';
import { CertificateExpiry, messageOf } from '@smalt/service-runtime';

import type { AgentContext } from '../agent-context.ts';
import type { HypervisorView } from '../hypervisor-view.ts';
import { certificateCondition, type CertificateState } from './certificate-condition.ts';
import { describeOrphan, installCertificate } from './install-certificate.ts';
import { findGuestAccount } from './guest-account.ts';
import type { FileOwners } from './plan-installation.ts';
import { reloadDaemon, type ReloadSettings } from './reload-daemon.ts';
import type { Secret } from './secret.ts';
import { onConnect, ToldAccount } from './told-account.ts';
import { WatchedSecret, type SecretView, type WatchedSecretSettings } from './watched-secret.ts';

const NAME = 'certificates';
const CHECK_MS = 300_000;
const FIRST_RETRY_MS = 5_000;
const RELOAD_TIMEOUT_MS = 60_000;

export interface CertificatesSettings extends ReloadSettings, WatchedSecretSettings {
  /** Below which libvirt's and QEMU's certificates lie, such as `/etc/pki`. */
  readonly directory: string;
  /** What the certificate must be made out to; the name of the node if not given. */
  readonly hostNames?: readonly string[] | undefined;
  /** The account that guests run under, and so the owner of their keys; found out if not given. */
  readonly guestAccount?: string | undefined;
  /** Where the system of the host is seen. */
  readonly root?: string | undefined;
  /** The qemu.conf of the daemon, if it is not the host's. */
  readonly qemuConfigPath?: string | undefined;
  /** How often the files are looked at although the Secret did not change. */
  readonly checkMs?: number | undefined;
}

type CertificatesContext = Pick<
  AgentContext,
  'nodeName' | 'namespace' | 'session' | 'informers' | 'hypervisor' | 'board' | 'metrics' | 'logger' | 'ignore' | 'now'
>;

/** Keeps the TLS certificate of the host's daemons like the Secret `tls-libvirt-NODE`, if the Hypervisor wants that. */
export function createCertificatesPart(context: CertificatesContext, settings: CertificatesSettings): AgentPart {
  const expiry = new CertificateExpiry(context.metrics, 'libvirt');
  const tell = (state: CertificateState | undefined): void => {
    context.board.state(NAME, { conditions: state === undefined ? [] : [certificateCondition(state)] });
    if (state?.kind === 'ready' && state.expiry !== undefined) expiry.tell(state.expiry.at);
  };
  // Made at the first run and kept: nobody looks for Secrets before, and an informer tells who asked first.
  let secret: WatchedSecret | undefined;
  const run = async (signal: AbortSignal): Promise<void> => {
    secret ??= new WatchedSecret(context, settings);
    await keepCertificate(context, settings, { secret, tell }, signal);
  };
  return { name: NAME, run };
}

async function keepCertificate(
  context: CertificatesContext,
  settings: CertificatesSettings,
  parts: KeeperParts,
  signal: AbortSignal,
): Promise<void> {
  const { clock = systemClock, checkMs = CHECK_MS } = settings;
  const changed = new WakeUp(clock);
  await using owner = new AsyncDisposableStack();
  owner.defer(parts.secret.onChange(() => changed.ring(), signal));
  owner.defer(onWishChange(context.hypervisor, () => changed.ring()));
  // A managed daemon cannot start, and say who its guests run as, before it has a certificate.
  owner.use(onConnect(context.session, () => changed.ring()));
  const keeper = new CertificateKeeper(context, settings, parts);
  while (!signal.aborted) {
    const waitMs = await keeper.look(signal);
    const delayMs = Math.min(checkMs, FIRST_RETRY_MS * 2 ** (keeper.failures - 1));
    await changed.wait(keeper.failures === 0 ? Math.min(checkMs, waitMs) : delayMs, signal);
  }
}

/** Most changes of a Hypervisor are of its status, and of no interest here. */
function onWishChange(hypervisor: HypervisorView, tell: () => void): () => void {
  let wish: boolean | undefined;
  return hypervisor.onChange((current) => {
    const next = current?.spec?.installCertificate;
    if (next === wish) return;
    wish = next;
    tell();
  });
}

interface KeeperParts {
  readonly secret: WatchedSecret;
  readonly tell: (state: CertificateState | undefined) => void;
}

class CertificateKeeper {
  readonly #context: CertificatesContext;
  readonly #settings: CertificatesSettings;
  readonly #parts: KeeperParts;
  readonly #account: ToldAccount;
  #failures = 0;
  #told: CertificateState | undefined;
  /** Whether this agent has installed the certificate that is there now. */
  #hasInstalled = false;

  constructor(context: CertificatesContext, settings: CertificatesSettings, parts: KeeperParts) {
    this.#context = context;
    this.#settings = settings;
    this.#parts = parts;
    this.#account = new ToldAccount(context);
  }

  /** How often in a row it went wrong. */
  get failures(): number {
    return this.#failures;
  }

  /** Makes things right as far as it can; the result is when to look again at the latest. */
  async look(signal: AbortSignal): Promise<number> {
    if (this.#context.hypervisor.current?.spec?.installCertificate !== true) this.#tell(undefined);
    else {
      const view = this.#parts.secret.look();
      // What is not known yet is not the same as what is not there.
      if (view.kind === 'unknown') return view.forAnotherMs;
      await this.#handle(view, signal);
    }
    return Infinity;
  }

  async #handle(view: Exclude<SecretView, { kind: 'unknown' }>, signal: AbortSignal): Promise<void> {
    try {
      this.#tell(await this.#stateFor(view, signal));
    } catch (error) {
      if (signal.aborted) return;
      this.#tell({ kind: 'refused', why: messageOf(error) });
    }
  }

  async #stateFor(view: Exclude<SecretView, { kind: 'unknown' }>, signal: AbortSignal): Promise<CertificateState> {
    switch (view.kind) {
      case 'unreadable':
        return { kind: 'refused', why: view.why };
      case 'missing':
        return await describeOrphan(this.#parts.secret.key, this.#settings.directory, this.#context.now());
      case 'found':
        return await this.#install(view.secret, signal);
    }
  }

  async #install(secret: Secret, signal: AbortSignal): Promise<CertificateState> {
    const { directory, hostNames = [this.#context.nodeName] } = this.#settings;
    return await installCertificate(
      secret,
      {
        directory,
        hostNames,
        owners: await findOwners(this.#settings, this.#account, signal),
        now: this.#context.now,
        reload: (until) => this.#reload(until),
        onBegin: (what) => this.#onBegin(what, secret),
      },
      signal,
    );
  }

  #onBegin(what: 'files' | 'reload', { metadata: { resourceVersion } }: Secret): void {
    const about = { resource: this.#parts.secret.key, resourceVersion };
    if (what === 'files') this.#context.logger.info(about, 'installing the TLS certificate');
    else this.#context.logger.info(about, 'telling the daemon of the TLS certificate');
    this.#hasInstalled = true;
    // The daemon has to be told once more: that it was not told yet stays what is to be known.
    if (this.#told?.kind !== 'not-reloaded') this.#parts.tell({ kind: 'installing' });
  }

  async #reload(signal: AbortSignal): Promise<string | undefined> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(RELOAD_TIMEOUT_MS)]);
    try {
      return await reloadDaemon({ ...this.#settings, logger: this.#context.logger }, deadline);
    } catch (error) {
      signal.throwIfAborted();
      return messageOf(error);
    }
  }

  #tell(state: CertificateState | undefined): void {
    const hasFailed = state?.kind === 'refused' || state?.kind === 'not-reloaded';
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    if (hasFailed && (this.#told?.kind !== state.kind || this.#told.why !== state.why)) {
      this.#context.logger.warn(
        { resource: this.#parts.secret.key, why: state.why },
        'the TLS certificate is not in use',
      );
    }
    this.#told = state;
    this.#parts.tell(state?.kind === 'ready' ? { ...state, isNew: this.#hasInstalled } : state);
  }
}

async function findOwners(
  { guestAccount: setting, root = '/', qemuConfigPath }: CertificatesSettings,
  account: ToldAccount,
  signal: AbortSignal,
): Promise<FileOwners> {
  const daemons = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  // Only root can give files away.
  if (daemons.uid !== 0 && setting === undefined) return { daemons, guests: daemons };
  const told = await account.ask(signal);
  return { daemons, guests: (await findGuestAccount({ setting, told, root, qemuConfigPath })) ?? daemons };
}
