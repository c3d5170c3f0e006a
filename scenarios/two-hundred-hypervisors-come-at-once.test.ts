import { tellOfHypervisors } from './hypervisors-come-at-once.ts';

// Five thousand are a story of their own, which takes minutes.
tellOfHypervisors(200);
