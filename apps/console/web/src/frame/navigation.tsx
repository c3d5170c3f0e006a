import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import type { Deed } from '../api/rights.ts';
import { useMayAll } from '../api/use-may.ts';
import { READ_AUDIT } from '../pages/audit/audit-event.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './frame.module.css';

interface Section {
  readonly to: Exclude<LinkProps['to'], undefined>;
  readonly label: string;
  readonly icon: IconName;
  /** What somebody has to be allowed to be led there; everybody without one. */
  readonly needs?: Deed;
}

const SECTIONS: readonly Section[] = [
  { to: '/fleet', label: 'Fleet', icon: 'fleet' },
  { to: '/virtual-machines', label: 'Virtual machines', icon: 'machines' },
  { to: '/network', label: 'Network', icon: 'network' },
  { to: '/high-availability', label: 'High availability', icon: 'availability' },
  { to: '/events', label: 'Events', icon: 'events' },
  { to: '/audit', label: 'Audit', icon: 'audit', needs: READ_AUDIT },
];

const NEEDS = SECTIONS.flatMap(({ needs }) => (needs === undefined ? [] : [needs]));

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }): ReactElement {
  const answers = useMayAll(NEEDS);
  const offered = SECTIONS.filter(({ needs }) => needs === undefined || answers[NEEDS.indexOf(needs)] === true);
  return (
    <nav aria-label="Sections">
      <ul className={classes.sections}>
        {offered.map(({ to, label, icon }) => (
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
