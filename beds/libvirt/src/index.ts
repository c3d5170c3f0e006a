export {
  cpioArchive,
  ensureGuestImage,
  type CpioEntry,
  type GuestImage,
  type GuestImageOptions,
  type GuestWord,
} from '@smalt/guest-image';
export { lendCapabilities } from '@smalt/local-hosts';

export { AlteringProxy, refusal, type Alteration, type DaemonPlace } from './altering-proxy.ts';
export { openBedDirectory, type BedDirectory } from './bed-directory.ts';
export type { BedHost } from './bed-host.ts';
export { BedError } from './error.ts';
export type { BedErrorCode } from './error.ts';
export { ConsoleLog } from './guest/console-log.ts';
export type { WaitOptions } from './guest/console-log.ts';
export { biosDomainXml, guestDomainXml } from './guest/guest-domain-xml.ts';
export type { GuestDisk, GuestDomainOptions } from './guest/guest-domain-xml.ts';
export type { Certificates } from './make-certificates.ts';
export type { SaslAccount } from './make-sasl-directory.ts';
export type { FakeHardware } from './numa/fake-hardware.ts';
export { startHost } from './start-host.ts';
export type { HostOptions } from './start-host.ts';
export { startNetwork } from './start-network.ts';
export type { BedNetwork } from './start-network.ts';
export { startTestDaemon } from './start-test-daemon.ts';
export type { TestDaemon, TestDaemonOptions } from './start-test-daemon.ts';
export { startTestDaemons } from './start-test-daemons.ts';
export type { TestDaemons } from './start-test-daemons.ts';
