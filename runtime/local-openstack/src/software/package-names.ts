/** The Python packages whose modules are really imported; what Debian would install with them is four times as much. */
const PYTHON = `
  alembic amqp anyjson appdirs attr automaton autopage barbicanclient bcrypt binary-memcached blinker
  cachetools castellan certifi cffi cffi-backend chardet charset-normalizer cinderclient click cliff cmd2
  cryptography cursive dateutil debtcollector decorator defusedxml dogpile.cache elementpath eventlet fasteners
  fixtures flask flask-restful futurist glance glance-store glanceclient greenlet httplib2 idna
  importlib-metadata importlib-resources iso8601 itsdangerous jaraco.classes jinja2 jmespath json-pointer
  jsonpatch jsonschema keyring keystone keystoneauth1 keystoneclient keystonemiddleware kombu libvirt lxml mako
  markupsafe memcache microversion-parse migrate monotonic more-itertools msgpack munch nacl netaddr netifaces
  networkx neutronclient nova novaclient oauthlib openssl openstackclient openstacksdk os-brick os-resource-classes os-service-types
  os-traits os-vif os-win osc-lib oslo.cache oslo.concurrency oslo.config oslo.context oslo.db oslo.i18n oslo.limit
  oslo.log oslo.messaging oslo.metrics oslo.middleware oslo.policy oslo.privsep oslo.reports oslo.rootwrap
  oslo.serialization oslo.service oslo.upgradecheck oslo.utils oslo.versionedobjects oslo.vmware osprofiler
  packaging paramiko passlib paste pastedeploy pbr pkg-resources placement ply prettytable prometheus-client
  psutil pycadf pycparser pydot pymysql pyperclip pyroute2 pyrsistent pysaml2 repoze.lru requests requestsexceptions
  retrying rfc3986 routes setuptools simplegeneric simplejson six sqlalchemy sqlparse statsd stevedore suds
  taskflow tempita tenacity testtools tooz tz uhashring urllib3 vine warlock wcwidth webob werkzeug wrapt wsme
  xmlschema yaml yappi zipp
`;

const DATABASE = ['mariadb-server-core', 'mariadb-client-core', 'mariadb-common'] as const;

/** Shared libraries of the above that a plain Debian 12 may not have. */
const LIBRARIES = [
  'libaio1',
  'libbsd0',
  'libedit2',
  'libicu72',
  'libmariadb3',
  'libmd0',
  'libncurses6',
  'libnuma1',
  'libpcre2-8-0',
  'libsnappy1v5',
  'libsodium23',
  'liburing2',
  'libxml2',
  'libxslt1.1',
  'libyaml-0-2',
] as const;

/** The Debian packages a cloud is made of. */
export function packageNames(): readonly string[] {
  const python = PYTHON.trim().split(/\s+/);
  return [...python.map((name) => `python3-${name}`), ...DATABASE, ...LIBRARIES];
}
