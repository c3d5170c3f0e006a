/**
 * Keeps a node, from outside its namespaces: makes its cgroup in every tree, and takes away what the kernel leaves of it. It is
 * constant: values arrive as arguments and never become code.
 *
 * Arguments: the name of the node's cgroup, the two scripts of the node, and what they want to know. The node hears commands on 3
 * and answers on 4; it ends when 3 does, that is, when the owner wants it or is gone.
 */
export const keeperScript: string = String.raw`
set -u
fail() { echo "$1 failed" >&2; exit 1; }
cgroup=$1 join=$2 script=$3
shift 3
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  trees=/sys/fs/cgroup
  # What is not passed on at the root does not reach the kubelet, which wants more than systemd passes on by itself.
  for controller in $(</sys/fs/cgroup/cgroup.controllers); do
    echo "+$controller" 2>/dev/null >/sys/fs/cgroup/cgroup.subtree_control
  done
else
  trees=
  # A tree of the second version beside the first ones limits nothing: nodes do without.
  for tree in /sys/fs/cgroup/*; do
    if [ ! -L "$tree" ] && [ -e "$tree/tasks" ]; then trees="$trees $tree"; fi
  done
fi
for tree in $trees; do
  for place in "$tree/$cgroup" "$tree/$cgroup/init"; do
    mkdir "$place" || fail "making the cgroup $place"
    # In the first version no process gets in before it is said which processors and memory there are.
    for file in cpuset.cpus cpuset.mems; do
      if [ -e "$place/../$file" ]; then cat "$place/../$file" >"$place/$file"; fi
    done
  done
done
(
  for tree in $trees; do echo 0 >"$tree/$cgroup/init/cgroup.procs" || exit 1; done
  exec setpriv --pdeathsig KILL unshare --mount --uts --ipc --net --pid --propagation private --fork --kill-child=KILL \
    bash --norc --noprofile -c "$join" join "$script" "$cgroup" "$trees" "$@" </dev/null >&2
) &
node=$!
# Theirs alone: the node is over when its owner's end is.
exec 3<&- 4>&-
wait "$node"
# The last processes of the node may still be on their way out.
for tree in $trees; do
  for attempt in {1..600}; do
    find "$tree/$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break
    sleep 0.05
  done
done
`;
