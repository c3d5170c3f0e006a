import type { ReactElement } from 'react';

import { Age } from '../../../parts/age.tsx';
import { KeyValues } from '../../../parts/key-values.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import type { WatchedHost } from '../fleet-objects.ts';
import { guardWords, judgementWords, obstacleWords, signalsWords } from '../words.ts';

/** What the service thinks of a host and since when, and what it refused to do for it. */
export function HostJudgement({ host }: { readonly host: WatchedHost }): ReactElement {
  const { name, judgement, judgedSince, openIncident, lastRefusal } = host;
  const obstacle = obstacleWords(host);
  return (
    <>
      {obstacle === undefined ? undefined : (
        <Note tone="warning" title="Nothing would be done for it now">
          {obstacle}
        </Note>
      )}
      <Section title="Judgement">
        <KeyValues
          entries={[
            { name: 'It is', value: judgementWords(judgement).words },
            { name: 'Since', value: judgedSince === null ? undefined : <Age at={judgedSince} /> },
            { name: 'Signals', value: signalsWords(host).words },
            { name: 'Guarded', value: guardWords(host) },
            { name: 'Open incident', value: openIncident === null ? 'none' : <IncidentLink id={openIncident} /> },
            { name: 'Last refusal', value: lastRefusal === null ? 'none' : <Refusal refusal={lastRefusal} /> },
            {
              name: 'Host',
              value: (
                <LinkTo to="/fleet/$host" params={{ host: name }}>
                  {name}
                </LinkTo>
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}

function IncidentLink({ id }: { readonly id: string }): ReactElement {
  return (
    <LinkTo to="/high-availability/incidents/$incident" params={{ incident: id }}>
      {id}
    </LinkTo>
  );
}

function Refusal({ refusal }: { readonly refusal: NonNullable<WatchedHost['lastRefusal']> }): ReactElement {
  const { brake, message, at } = refusal;
  return (
    <>
      {message} ({brake}
      {at === null ? '' : ', '}
      {at === null ? undefined : <Age at={at} />})
    </>
  );
}
