import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';

/** For those who may see some namespaces, and not all of them together. */
export function NamespaceChooser({ onChoose }: { readonly onChoose: (namespace: string) => void }): ReactElement {
  const [namespace, setNamespace] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (namespace.trim() !== '') onChoose(namespace.trim());
      }}
    >
      <Group gap="xs" align="end" mt="sm">
        <TextInput
          label="A namespace that you may see"
          value={namespace}
          onChange={(event) => setNamespace(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}
