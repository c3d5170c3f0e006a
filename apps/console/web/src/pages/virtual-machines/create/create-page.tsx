import { Tabs } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { stringify } from 'yaml';

import { LinkTo } from '../../../parts/link-to.tsx';
import { Page } from '../../../parts/page.tsx';
import { CreateByForm } from './create-by-form.tsx';
import { CreateByYaml } from './create-by-yaml.tsx';
import { machineManifest, NEW_MACHINE } from './machine-form.ts';

/** Makes a virtual machine, by form or by YAML. What the form says is where the YAML begins. */
export function CreatePage(): ReactElement {
  const [form, setForm] = useState(NEW_MACHINE);
  const [text, setText] = useState<string>();
  return (
    <Page title="Create a virtual machine" trail={<LinkTo to="/virtual-machines">Virtual machines</LinkTo>}>
      <Tabs defaultValue="form">
        <Tabs.List mb="md" aria-label="How to create it">
          <Tabs.Tab value="form">Form</Tabs.Tab>
          <Tabs.Tab value="yaml">YAML</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          <CreateByForm
            form={form}
            onChange={(changed) => {
              setForm(changed);
              setText(undefined);
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="yaml">
          <CreateByYaml text={text ?? stringify(machineManifest(form))} onChange={setText} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
