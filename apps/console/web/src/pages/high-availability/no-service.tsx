import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

/** Stands where the HA service would tell something. */
export function NoService(): ReactElement {
  return (
    <Stack gap="xs">
      <Text>This console is not connected to an HA service, so nobody rebuilds what a lost host ran.</Text>
      <Text>
        On one machine <code>smalt up</code> runs it. On a cluster run <code>smalt ha-service</code>, and give its
        address to <code>smalt web-console</code>. <Anchor href="/fleet">Hosts</Anchor> are shown without it.
      </Text>
    </Stack>
  );
}
