import type { Difference } from './find-differences.ts';

/** Where the server of Smalt is meant to answer otherwise than kube-apiserver. */
export interface IntendedDifference {
  /** The names of the probes that it shows in. */
  readonly probe: RegExp;
  /** The place in the answers, as in a Difference. */
  readonly path: RegExp;
  readonly reason: string;
  /** Whether it shows in some runs only, because it is about who is faster. */
  readonly isRace?: boolean;
}

const ANY = /^/;

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    probe: /^the version of the server$/,
    path: /^0\.body\.(?:compiler|gitCommit|gitVersion|goVersion)$/,
    reason: 'It says what it is: another program, for another runtime, that speaks for the same version.',
  },
  {
    probe: /^(?:the version for anybody|objects for anybody|discovery for anybody)$/,
    path: ANY,
    reason: 'Whoever is not known gets health and nothing else.',
  },
  {
    probe: /^(?:the core resources|the resources of|the groups|aggregated discovery|acting as somebody who may not)/,
    path: /\.(?:resources|groups)\.(?:componentstatuses|podtemplates|ipaddresses|servicecidrs|csidrivers|csistoragecapacities|volumeattributesclasses|mutatingadmissionpolic|flowcontrol\.|resource\.k8s\.io|nodes\/proxy|pods\/proxy|pods\/resize|services\/proxy)/,
    reason: 'Kinds that nothing here needs are not served, nor are proxies through the server.',
  },
  {
    probe: /^(?:the groups|aggregated discovery|acting as somebody who may not)/,
    path: /\.groups\.audit\.k8s\.io$/,
    reason: 'What was done is shown to who may see it; kube-apiserver only writes it to a file.',
  },
  {
    probe: /^aggregated discovery/,
    path: /\.resources\.(?:nodes|pods|services)\.subresources\./,
    reason: 'The same, counted by position.',
  },
  {
    probe: /^the core resources$/,
    path: /^0\.body\.apiVersion$/,
    reason: 'The document says its version as those of all other groups do.',
  },
  {
    probe: ANY,
    path: /\.items\.\d+\.(?:apiVersion|kind)$/,
    reason: 'The items of a list are sent as they are stored, with their kind; kube-apiserver takes it off.',
  },
  {
    probe: ANY,
    path: /\.spec\.(?:priority|preemptionPolicy)$/,
    reason: 'No pod is ended for another one, so that none comes before others.',
  },
  {
    probe: ANY,
    path: /\.spec\.serviceAccount(?:Name)?$/,
    reason:
      'The recorded server ran without the plugin by which Kubernetes, too, gives a pod that names no account the one named default.',
  },
  {
    probe: /^a Node$/,
    path: /\.spec\.taints$/,
    reason: 'Nobody would take the taint of a new node off again.',
  },
  {
    probe: /^a claim for a volume$/,
    path: ANY,
    reason: 'Nobody would take the finalizer off, and claims may be edited while nobody provides volumes.',
  },
  {
    probe: ANY,
    path: /\.spec\.(?:clusterIPs?|ipFamilies|ipFamilyPolicy)$/,
    reason: 'There is no service network, so an address would lead nowhere.',
  },
  {
    probe: /^a table of Services$/,
    path: /\.cells\.2$/,
    reason: 'There is no service network, so an address would lead nowhere.',
  },
  {
    probe: /^another kind in the body$/,
    path: /^0\.body\.message$/,
    reason: 'The words of kube-apiserver name packages of Go.',
  },
  {
    probe: /^(?:what of a Pod may change|a PodDisruptionBudget)$/,
    path: /message$/,
    reason: 'kube-apiserver prints structures of Go as they are inside of it.',
  },
  {
    probe: /^methods that are not for these paths$/,
    path: /^3\./,
    reason: 'A POST to the path of one custom resource is refused as it is for all other kinds.',
  },
  {
    probe: /^an answer (?:of an unknown type|in any of several types)$/,
    path: ANY,
    reason: 'A refusal is JSON, lists what the resource can be had in, and application/* means any of that.',
  },
  {
    probe: /^YAML$/,
    path: /^2\.body\.message$/,
    reason: 'The words come from another YAML parser.',
  },
  {
    probe: /^apply of bodies that are not valid$/,
    path: /^0\.body\.message$/,
    reason: 'The words come from another YAML parser.',
  },
  {
    probe: /^protobuf that cannot be read$/,
    path: /\.body\.message$/,
    reason: 'The words come from another protobuf decoder.',
  },
  {
    probe: /^YAML for an answer$/,
    path: ANY,
    reason: 'A refusal is JSON, and its content type says so.',
  },
  {
    probe: /^a Role$/,
    path: /\.rules$/,
    reason: 'An empty list stays one; kube-apiserver makes it null.',
  },
  {
    probe: /^the columns of /,
    path: /^0\.body\.rows$/,
    reason: 'A table without rows has an empty list; kube-apiserver has null for some kinds.',
  },
  {
    probe: /^the life of a namespace$/,
    path: /\.spec\.finalizers$/,
    reason: 'Here the namespace is emptied at once; the recorded server ran without its controllers.',
    isRace: true,
  },
  {
    probe: /^foreground$/,
    path: ANY,
    reason: 'Here the garbage is collected at once; the recorded server ran without its controllers.',
    isRace: true,
  },
  {
    probe: /^strategic patches that do not fit$/,
    path: /^2\.body\..*message$/,
    reason: 'The type that does not fit is named as in all other refusals.',
  },
  {
    probe: /^options that are not valid$/,
    path: /^4\.body\.message$/,
    reason: 'The refusal of a body that cannot be read is the same for all kinds.',
  },
  {
    probe: /^a version of the future$/,
    path: /retry-?after/i,
    reason: 'The advice to try again in a second is given for every kind of list.',
  },
  {
    probe: /^a watch from a version of the future$/,
    path: ANY,
    reason: 'Who has seen what was lost when the store was put back is told to list again; kube-apiserver is silent.',
  },
  {
    probe: ANY,
    path: /managedFields\.\d+\.manager$/,
    reason: 'The recorded program was named for its version.',
  },
  {
    probe: /^initial events/,
    path: ANY,
    reason: 'The recorded server had an old etcd, on which it cannot send initial events.',
  },
  {
    probe: /^(?:a token|a review of a token|may I|may she)$/,
    path: /\.metadata(?:\.managedFields)?$/,
    reason: 'A question is not stored, so nobody owns its fields.',
  },
  {
    probe: /^(?:may I|may she)$/,
    path: /\.body\.(?:message|details\.kind)$/,
    reason: 'The refusal names the kind; kube-apiserver forgets to.',
  },
  {
    probe: /^a token$/,
    path: /\.spec\.audiences\.0$/,
    reason: 'The issuer is a setting of each server.',
  },
  {
    probe: /^what may I$/,
    path: /nonResourceRules/,
    reason: 'Ours lets anybody ask how it is by a rule of its own; the sum is the same.',
  },
  {
    probe: /^acting as somebody half told$/,
    path: /^0\.body\.message$/,
    reason: 'The words of kube-apiserver print a structure of Go.',
  },
  {
    probe: /^(?:a DaemonSet|a Job)$/,
    path: ANY,
    reason: 'Nobody runs these here; labels and annotations for their controllers are not made.',
  },
  {
    probe:
      /^(?:an object of the stored version, read and changed in another|watches of two versions|an object whose stored version is no longer served)$/,
    path: /\.metadata\.managedFields$/,
    reason: 'kube-apiserver forgets all owners when an object is changed in a version that lacks some of its fields.',
  },
  {
    probe: /^fields that were applied in two versions, which do not know each other$/,
    path: /^[23]\./,
    reason: 'kube-apiserver fails (500) when an object has a field that the version of an earlier applier lacks.',
  },
  {
    probe: /^a namespace with a percent sign$/,
    path: /^2\./,
    reason: 'kube-apiserver cannot ask itself for such a namespace (500); there is none.',
  },
  {
    probe: /^escapes that are none/,
    path: ANY,
    reason: 'A refusal is JSON; there, Go answers before kube-apiserver sees the request.',
  },
];

/** The first entry that says that a difference is meant to be. */
export function intendedFor(probe: string, difference: Difference): IntendedDifference | undefined {
  return intendedDifferences.find((entry) => entry.probe.test(probe) && entry.path.test(difference.path));
}
