import { Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent, type ReactElement } from 'react';

import { findHits, type SearchEntry } from './find-hits.ts';
import classes from './search.module.css';
import { useSearchEntries } from './use-search-entries.ts';

const MOST_HITS = 12;

export function SearchDialog({ onDone }: { readonly onDone: () => void }): ReactElement {
  const entries = useSearchEntries();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const { history } = useRouter();
  const hits = findHits(entries, typed, MOST_HITS);
  const active = Math.min(chosen, hits.length - 1);
  const open = (hit: SearchEntry | undefined): void => {
    if (hit === undefined) return;
    onDone();
    history.push(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') open(hits[active]);
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    setChosen((active + step + hits.length) % Math.max(1, hits.length));
  };
  return (
    <Stack gap="sm">
      <TextInput
        aria-label="Search hosts, virtual machines, migrations, switches and incidents"
        placeholder="Name of a host, a virtual machine, a switch …"
        data-autofocus
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={hits.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
      />
      <Hits {...{ hits, active, listId, open }} />
      <Text role="status" size="xs" c="dimmed">
        {hits.length === 0 ? `Nothing is called “${typed}”` : `${hits.length} found. Enter opens, arrows choose.`}
      </Text>
    </Stack>
  );
}

interface HitsProps {
  readonly hits: readonly SearchEntry[];
  readonly active: number;
  readonly listId: string;
  readonly open: (hit: SearchEntry) => void;
}

function Hits({ hits, active, listId, open }: HitsProps): ReactElement {
  return (
    <div id={listId} role="listbox" aria-label="Found" className={classes.hits}>
      {hits.map((hit, index) => (
        // The focus stays in the text field, which names the chosen option and takes the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={`${hit.sort} ${hit.href} ${hit.name}`}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.hit}
          onClick={() => open(hit)}
        >
          <span className={classes.name}>{hit.name}</span>
          <span className={classes.detail}>{hit.detail}</span>
          <span className={classes.sort}>{hit.sort}</span>
        </div>
      ))}
    </div>
  );
}
