import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';
import { humanDuration } from '@smalt/kubernetes';

import { isGivenAt, itemsAt, numberAt, textAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { column, wideColumn } from './make-column.ts';

export const roleBindingColumns: readonly Column[] = [
  column('Role', 'The role that is given.', (binding) => {
    return `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`;
  }),
  ageColumn,
  wideColumn('Users', 'To which users.', (binding) => subjects(binding, 'User')),
  wideColumn('Groups', 'To which groups.', (binding) => subjects(binding, 'Group')),
  wideColumn('ServiceAccounts', 'To which service accounts.', (binding) => subjects(binding, 'ServiceAccount')),
];

export const certificateSigningRequestColumns: readonly Column[] = [
  ageColumn,
  column('SignerName', 'Who shall sign.', (csr) => textAt(csr, 'spec', 'signerName') || '<none>'),
  column('Requestor', 'Who asked.', (csr) => textAt(csr, 'spec', 'username')),
  column('RequestedDuration', 'For how long.', (csr) =>
    isGivenAt(csr, 'spec', 'expirationSeconds')
      ? humanDuration(numberAt(csr, 'spec', 'expirationSeconds') * 1000)
      : '<none>',
  ),
  column('Condition', 'What was decided.', requestCondition),
];

function subjects(binding: JsonObject, kind: string): string {
  return itemsAt(binding, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) => {
      const name = textAt(subject, 'name');
      return kind === 'ServiceAccount' && textAt(subject, 'namespace') !== ''
        ? `${textAt(subject, 'namespace')}/${name}`
        : name;
    })
    .join(', ');
}

function requestCondition(csr: JsonObject): string {
  const types = itemsAt(csr, 'status', 'conditions').map((condition) => textAt(condition, 'type'));
  const decision = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  const isIssued = textAt(csr, 'status', 'certificate') !== '';
  return `${decision}${types.includes('Failed') ? ',Failed' : ''}${isIssued ? ',Issued' : ''}`;
}
