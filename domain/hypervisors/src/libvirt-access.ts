/** How libvirt serves a hypervisor: what to write, start and open. Others do it; this only says what. */
export interface LibvirtAccess {
  /** The files that libvirt reads when it starts, with their settings. Throws `invalid-log-filters`. */
  readonly configuration: (options?: ConfigurationOptions) => readonly ConfigurationFile[];
  /** The daemon of this hypervisor alone, where libvirt has one. */
  readonly modularDaemon: DaemonCommand | undefined;
  /** The daemon for all hypervisors, used where the modular one is missing. */
  readonly monolithicDaemon: DaemonCommand;
  /** The daemon that keeps what guests print, for a hypervisor that needs one. */
  readonly logDaemon: DaemonCommand | undefined;
  /** Whether the daemons have to run as root. */
  readonly needsRoot: boolean;
  /** What to open: the URI of a system's daemon. */
  readonly uri: string;
  /** The user to open it as. */
  readonly user: string;
  /** Names that the process of a guest begins with. */
  readonly commandPrefixes: readonly string[];
  /** Where libvirt keeps the pid files of guests; `undefined` where guests are no processes. */
  readonly pidDirectory: string | undefined;
  /** Whether a guest can be started so that it stands still until it is let run. */
  readonly canStartPaused: boolean;
  /** Whether the first process of a guest has to be sent a signal, because many do not heed any other wish to shut down. */
  readonly shutsDownBySignal: boolean;
}

export interface ConfigurationOptions {
  /** Which of libvirt's messages are logged, such as `3:remote 1:qemu`. */
  readonly logFilters?: string | undefined;
}

/** A file of settings in libvirt's own format. */
export interface ConfigurationFile {
  readonly path: string;
  readonly settings: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface DaemonCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The socket it serves. */
  readonly socketPath: string;
}
