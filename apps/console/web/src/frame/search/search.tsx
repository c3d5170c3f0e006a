import { Button, Kbd, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import type { ReactElement } from 'react';

import classes from '../frame.module.css';
import { Icon } from '../icon.tsx';
import { SearchDialog } from './search-dialog.tsx';

/** The search over everything: a button, and the keys that stand for it. */
export function Search(): ReactElement {
  const [isOpen, dialog] = useDisclosure(false);
  useHotkeys([['/', dialog.open]]);
  // Ctrl-K works also while something is being typed.
  useHotkeys([['mod+K', dialog.open]], []);
  return (
    <>
      <Button
        className={classes.searchButton}
        variant="default"
        size="xs"
        aria-label="Search"
        leftSection={<Icon name="search" size={15} />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        }
        onClick={dialog.open}
      >
        Search
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Search"
        size="lg"
        yOffset="10vh"
        transitionProps={{ duration: 0 }}
      >
        <SearchDialog onDone={dialog.close} />
      </Modal>
    </>
  );
}
