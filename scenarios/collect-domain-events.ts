import type { Connection, DomainEvent, EventIterator } from '@smalt/libvirt';

const TIMEOUT_MS = 30_000;

type Kind = DomainEvent['kind'];
type EventOfKind<Wanted extends Kind> = Extract<DomainEvent, { readonly kind: Wanted }>;

/** What happens to the domains of a host, of all kinds that its daemon has. */
export interface DomainEventCollector extends AsyncDisposable {
  /** The kinds that the daemon does not have. */
  readonly skipped: readonly string[];
  /** Takes the first event of this kind that matches and was not taken before; waits for it, but not for ever. */
  take<Wanted extends Kind>(
    kind: Wanted,
    matches?: (event: EventOfKind<Wanted>) => boolean,
  ): Promise<EventOfKind<Wanted>>;
}

/** Begins to collect before it resolves, so that nothing that happens later is missed. */
export async function collectDomainEvents(connection: Connection): Promise<DomainEventCollector> {
  const events = await connection.domainEvents();
  const passedOver: DomainEvent[] = [];
  return {
    skipped: events.skipped,
    take: async (kind, matches = () => true) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const isWanted = (event: DomainEvent): event is EventOfKind<typeof kind> =>
        isOfKind(event, kind) && matches(event);
      const index = passedOver.findIndex(isWanted);
      const [early] = index < 0 ? [] : passedOver.splice(index, 1);
      if (early !== undefined && isWanted(early)) return early;
      while (true) {
        const event = await nextOf(events, signal, () => `no such ${kind} among ${kindsOf(passedOver)}`);
        if (isWanted(event)) return event;
        passedOver.push(event);
      }
    },
    [Symbol.asyncDispose]: () => events[Symbol.asyncDispose](),
  };
}

async function nextOf(
  events: EventIterator<DomainEvent>,
  signal: AbortSignal,
  complaint: () => string,
): Promise<DomainEvent> {
  const late = Promise.withResolvers<never>();
  const giveUp = (): void => late.reject(new Error(complaint()));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const { value } = await Promise.race([events.next(), late.promise]);
    if (value === undefined || value.kind === 'overflow') throw new Error(complaint());
    return value;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function isOfKind<Wanted extends Kind>(event: DomainEvent, kind: Wanted): event is EventOfKind<Wanted> {
  return event.kind === kind;
}

function kindsOf(events: readonly DomainEvent[]): string {
  return events.map((event) => event.kind).join(', ');
}
