import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Search } from './search/search.tsx';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { UserMenu } from './user-menu.tsx';

/** What stands around every page. */
export function Frame(): ReactElement {
  const [isMenuOpen, menu] = useDisclosure(false);
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <Burger
          className={classes.narrowOnly}
          opened={isMenuOpen}
          onClick={menu.toggle}
          size="sm"
          aria-label="Sections"
        />
        <Link to="/" className={classes.brand}>
          <img src="/smalt.svg" alt="" width={22} height={22} />
          Smalt
        </Link>
        <div className={classes.spread} />
        <Search />
        <ColorSchemeSwitch />
        <UserMenu />
      </header>
      <ConnectionBanner />
      <div className={classes.body}>
        <aside className={classes.sidebar}>
          <Navigation onNavigate={menu.close} />
        </aside>
        <main id="content" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Drawer opened={isMenuOpen} onClose={menu.close} size="16rem" title="Sections">
        <Navigation onNavigate={menu.close} />
      </Drawer>
      <ShortcutKeys />
    </>
  );
}
