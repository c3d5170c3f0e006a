import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { Icon, type IconName } from './icon.tsx';
import classes from './frame.module.css';

interface Section {
  readonly to: Exclude<LinkProps['to'], undefined>;
  readonly label: string;
  readonly icon: IconName;
}

const SECTIONS: readonly Section[] = [
  { to: '/fleet', label: 'Fleet', icon: 'fleet' },
  { to: '/virtual-machines', label: 'Virtual machines', icon: 'machines' },
  { to: '/network', label: 'Network', icon: 'network' },
  { to: '/high-availability', label: 'High availability', icon: 'availability' },
  { to: '/events', label: 'Events', icon: 'events' },
];

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }): ReactElement {
  return (
    <nav aria-label="Sections">
      <ul className={classes.sections}>
        {SECTIONS.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} className={classes.section} activeOptions={{ includeSearch: false }} onClick={onNavigate}>
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
