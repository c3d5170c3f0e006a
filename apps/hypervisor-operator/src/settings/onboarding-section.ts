import { defaultOnboardingSettings as onboarding } from '../onboarding/onboarding-settings.ts';
import {
  concurrency,
  count,
  milliseconds,
  onOff,
  optionalText,
  resync,
  section,
  text,
  texts,
  type Section,
} from './config-section.ts';
import type { OnboardingConfig } from './operator-config.ts';

export const onboardingSection: Section<OnboardingConfig> = section({
  concurrency: concurrency(onboarding.concurrency),
  timeoutMs: milliseconds(onboarding.timeoutMs, 'how long, in ms, one look at a host may take'),
  pollMs: milliseconds(
    onboarding.pollMs,
    'how often, in ms, to look for hosts that are not registered yet, and how long to wait after a failed test',
  ),
  resyncMs: resync(onboarding.resyncMs),
  startingPollMs: milliseconds(onboarding.startingPollMs, 'how often, in ms, to look at a test instance that starts'),
  buildTimeoutMs: milliseconds(onboarding.buildTimeoutMs, 'how long, in ms, a test instance may take until it runs'),
  consoleTimeoutMs: milliseconds(
    onboarding.consoleTimeoutMs,
    'how long, in ms, it may then take until its name is on its console',
  ),
  consoleLines: count(onboarding.consoleLines, 'how many of the last lines of the console are read'),
  attempts: count(onboarding.attempts, 'after how many failed tests onboarding is aborted; 0 never gives up', 0),
  namePrefix: text(onboarding.namePrefix, 'what the names of test instances begin with'),
  requireNodeAgent: onOff(onboarding.requireNodeAgent, 'wait for a node agent that reports'),
  minLibvirtVersion: optionalText(
    onboarding.minLibvirtVersion,
    'the oldest libvirt that will do, such as 9.1.0; empty takes any',
  ),
  requireOvsNode: onOff(onboarding.requireOvsNode, 'wait for an OVSNode'),
  bridges: texts(onboarding.bridges, 'the bridges that a host with an OVSNode must have'),
});
