/*
 * The libvirt benchmark's peer on libvirt's own C client. It connects, prints a ready line, then reads one command per
 * line and answers each with one line of JSON. The commands are listed in README.md beside this file.
 */
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { WORKER_STACK_BYTES = 256 * 1024, LINE_BYTES = 256 };

typedef int (*CallFunction)(void);

typedef struct {
  double wall;
  double cpu;
} Clock;

typedef struct {
  CallFunction call;
  long calls;
  pthread_barrier_t *start;
  int failed;
} Worker;

typedef struct {
  int callback;
  long seen;
  long wanted;
  Clock listening;
  Clock first;
  Clock last;
} Listener;

static const char *uri;
static virConnectPtr connection;
static virDomainPtr domain;
static Listener listener = {.callback = -1};
static char pending[LINE_BYTES];
static size_t pending_length;
static int input_closed;

static Clock read_clock(void) {
  struct timespec wall;
  struct rusage usage;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  getrusage(RUSAGE_SELF, &usage);
  return (Clock){
      .wall = wall.tv_sec + wall.tv_nsec / 1e9,
      .cpu = usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 + usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6,
  };
}

static void answer(long operations, long items, Clock from, Clock to) {
  printf("{\"operations\":%ld,\"items\":%ld,\"seconds\":%.9f,\"cpuSeconds\":%.6f}\n", operations, items,
         to.wall - from.wall, to.cpu - from.cpu);
}

static void answer_error(const char *what) {
  const char *reason = virGetLastErrorMessage();
  printf("{\"error\":\"%s: ", what);
  for (; *reason; reason++) {
    if (*reason == '"' || *reason == '\\' || (unsigned char)*reason < ' ') putchar('\'');
    else putchar(*reason);
  }
  printf("\"}\n");
}

static void keep_quiet(void *opaque, virErrorPtr error) {
  (void)opaque;
  (void)error;
}

static int call_version(void) {
  unsigned long version;
  return virConnectGetLibVersion(connection, &version);
}

static int call_info(void) {
  virDomainInfo info;
  return virDomainGetInfo(domain, &info);
}

static void run_serial(CallFunction call, long count) {
  Clock from = read_clock();
  for (long i = 0; i < count; i++) {
    if (call() < 0) return answer_error("call");
  }
  answer(count, count, from, read_clock());
}

static void *run_worker(void *opaque) {
  Worker *worker = opaque;
  pthread_barrier_wait(worker->start);
  for (long i = 0; i < worker->calls && !worker->failed; i++) worker->failed = worker->call() < 0;
  return NULL;
}

/* One thread per caller, all on the one connection. Making the threads is not measured: the barrier holds them back. */
static void run_pipelined(CallFunction call, long count, long depth) {
  Worker *workers = calloc(depth, sizeof *workers);
  pthread_t *threads = calloc(depth, sizeof *threads);
  pthread_barrier_t start;
  pthread_attr_t attributes;
  long started = 0;
  int failed = 0;
  pthread_barrier_init(&start, NULL, depth + 1);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
  for (; started < depth; started++) {
    workers[started] = (Worker){.call = call, .calls = count / depth, .start = &start};
    if (pthread_create(&threads[started], &attributes, run_worker, &workers[started]) != 0) {
      /* The threads already made wait at the barrier for ever, so the process cannot go on. */
      printf("{\"error\":\"only %ld of %ld threads could be made\"}\n", started, depth);
      exit(1);
    }
  }
  pthread_barrier_wait(&start);
  Clock from = read_clock();
  for (long i = 0; i < depth; i++) {
    pthread_join(threads[i], NULL);
    failed |= workers[i].failed;
  }
  Clock to = read_clock();
  pthread_attr_destroy(&attributes);
  pthread_barrier_destroy(&start);
  free(threads);
  free(workers);
  if (failed) answer_error("call of a thread");
  else answer(count / depth * depth, count / depth * depth, from, to);
}

static void run_connect(long count) {
  Clock from = read_clock();
  for (long i = 0; i < count; i++) {
    virConnectPtr other = virConnectOpen(uri);
    if (!other) return answer_error("open");
    virConnectClose(other);
  }
  answer(count, count, from, read_clock());
}

static void run_stats(long count) {
  long items = 0;
  Clock from = read_clock();
  for (long i = 0; i < count; i++) {
    virDomainStatsRecordPtr *records;
    int length = virConnectGetAllDomainStats(connection, 0, &records, 0);
    if (length < 0) return answer_error("stats");
    for (int j = 0; j < length; j++) items += records[j]->nparams;
    virDomainStatsRecordListFree(records);
  }
  answer(count, items, from, read_clock());
}

static int count_event(virConnectPtr from, virDomainPtr of, int event, int detail, void *opaque) {
  (void)from, (void)of, (void)event, (void)detail, (void)opaque;
  listener.seen++;
  if (listener.seen == 1) listener.first = read_clock();
  if (listener.seen == listener.wanted) listener.last = read_clock();
  return 0;
}

static void run_listen(long wanted) {
  listener = (Listener){.wanted = wanted};
  listener.callback = virConnectDomainEventRegisterAny(connection, NULL, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
                                                       VIR_DOMAIN_EVENT_CALLBACK(count_event), NULL, NULL);
  if (listener.callback < 0) return answer_error("listen");
  listener.listening = read_clock();
  answer(0, 0, listener.listening, listener.listening);
}

/* Wall time runs from the first event to the last, CPU time from the registration, so that no event's work is lost. */
static void run_await_events(void) {
  while (listener.seen < listener.wanted) {
    if (virEventRunDefaultImpl() < 0) return answer_error("event loop");
  }
  Clock from = {.wall = listener.first.wall, .cpu = listener.listening.cpu};
  if (virConnectDomainEventDeregisterAny(connection, listener.callback) < 0) return answer_error("deregister");
  answer(listener.wanted, listener.seen, from, listener.last);
}

static void run_command(const char *line) {
  char name[32] = "";
  long count = 0, depth = 1;
  sscanf(line, "%31s %ld %ld", name, &count, &depth);
  if (count < 0 || depth < 1) printf("{\"error\":\"bad numbers: %s\"}\n", name);
  else if (!strcmp(name, "version-serial")) run_serial(call_version, count);
  else if (!strcmp(name, "info-serial")) run_serial(call_info, count);
  else if (!strcmp(name, "version-pipelined")) run_pipelined(call_version, count, depth);
  else if (!strcmp(name, "info-pipelined")) run_pipelined(call_info, count, depth);
  else if (!strcmp(name, "connect")) run_connect(count);
  else if (!strcmp(name, "stats")) run_stats(count);
  else if (!strcmp(name, "listen")) run_listen(count);
  else if (!strcmp(name, "await-events")) run_await_events();
  else printf("{\"error\":\"unknown command: %s\"}\n", name);
  fflush(stdout);
}

static void read_input(int watch, int fd, int events, void *opaque) {
  (void)watch, (void)events, (void)opaque;
  ssize_t got = read(fd, pending + pending_length, sizeof pending - 1 - pending_length);
  if (got <= 0) input_closed = 1;
  else pending_length += got;
  pending[pending_length] = '\0';
}

static void run_pending_commands(void) {
  for (char *end; (end = memchr(pending, '\n', pending_length));) {
    *end = '\0';
    run_command(pending);
    pending_length -= end + 1 - pending;
    memmove(pending, end + 1, pending_length);
  }
}

/*
 * Between commands the event loop runs, so that the daemon's keepalive pings are answered; during a measurement it does
 * not, which is the fastest way for the C client to make calls.
 */
int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: peer URI\n");
    return 2;
  }
  uri = argv[1];
  virSetErrorFunc(NULL, keep_quiet);
  if (virInitialize() < 0 || virEventRegisterDefaultImpl() < 0) return 1;
  connection = virConnectOpen(uri);
  if (connection) domain = virDomainLookupByName(connection, "test");
  unsigned long version = 0;
  if (!domain || virGetVersion(&version, NULL, NULL) < 0) {
    answer_error("start");
    return 1;
  }
  printf("{\"ready\":\"libvirt %lu.%lu.%lu\"}\n", version / 1000000, version / 1000 % 1000, version % 1000);
  fflush(stdout);
  virEventAddHandle(STDIN_FILENO, VIR_EVENT_HANDLE_READABLE, read_input, NULL, NULL);
  while (!input_closed) {
    if (virEventRunDefaultImpl() < 0) return 1;
    run_pending_commands();
  }
  virDomainFree(domain);
  virConnectClose(connection);
  return 0;
}
