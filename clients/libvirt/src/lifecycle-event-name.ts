import {
  DomainEventCrashedDetailType,
  DomainEventDefinedDetailType,
  DomainEventPmSuspendedDetailType,
  DomainEventResumedDetailType,
  DomainEventShutdownDetailType,
  DomainEventStartedDetailType,
  DomainEventStoppedDetailType,
  DomainEventSuspendedDetailType,
  DomainEventType,
  DomainEventUndefinedDetailType,
} from './generated/constants.gen.ts';

type Numbers = Readonly<Record<string, number>>;

const DETAILS: Readonly<Record<DomainEventType, Numbers>> = {
  [DomainEventType.defined]: DomainEventDefinedDetailType,
  [DomainEventType.undefined]: DomainEventUndefinedDetailType,
  [DomainEventType.started]: DomainEventStartedDetailType,
  [DomainEventType.suspended]: DomainEventSuspendedDetailType,
  [DomainEventType.resumed]: DomainEventResumedDetailType,
  [DomainEventType.stopped]: DomainEventStoppedDetailType,
  [DomainEventType.shutdown]: DomainEventShutdownDetailType,
  [DomainEventType.pmSuspended]: DomainEventPmSuspendedDetailType,
  [DomainEventType.crashed]: DomainEventCrashedDetailType,
};

/** What the `event` of a domain's lifecycle is called: `started`, `pm-suspended`; `unknown-42` when it is newer. */
export function lifecycleEventName(event: number): string {
  return nameOf(DomainEventType, event);
}

/** What the `detail` of a domain's lifecycle is called: `from-snapshot`; `unknown-42` when it or its event is newer. */
export function lifecycleDetailName(event: number, detail: number): string {
  const details: Numbers | undefined = isKnown(event) ? DETAILS[event] : undefined;
  return nameOf(details ?? {}, detail);
}

function isKnown(event: number): event is DomainEventType {
  return Object.values(DomainEventType).some((known) => known === event);
}

function nameOf(numbers: Numbers, wanted: number): string {
  const found = Object.entries(numbers).find(([, number]) => number === wanted);
  return found ? found[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : `unknown-${wanted}`;
}
