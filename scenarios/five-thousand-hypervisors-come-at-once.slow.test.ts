import { tellOfHypervisors } from './hypervisors-come-at-once.ts';

tellOfHypervisors(5_000);
