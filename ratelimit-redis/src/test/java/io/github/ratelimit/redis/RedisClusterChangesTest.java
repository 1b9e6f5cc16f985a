package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Slots move from one master of a Cluster to another, as when nodes are added and removed: no master is taken to be gone for it. */
@EnabledIfSystemProperty(named = "full", matches = "true")
class RedisClusterChangesTest {

    private RedisClusterProcesses cluster;
    private RedisStore store;
    private final List<StoreHealth> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        cluster = RedisClusterProcesses.start();
        store = RedisStore.builder()
                .uri(cluster.uri())
                .timeout(Duration.ofSeconds(20)) // what is promised here is the decision, not the time it takes
                .rememberRejections(Duration.ZERO)
                .onHealthChange(told::add)
                .build();
        assertThat(store.awaitReady(Duration.ofSeconds(45))).isTrue();
    }

    @AfterEach
    void stop() {
        store.close();
        cluster.close();
    }

    private static Charge charge(int which, String client, long permits) {
        return new Charge("limiter-" + which, Limit.of("only", permits, Duration.ofHours(1)), Key.of(client));
    }

    private static int slot(Charge charge) {
        return SlotHash.getSlot(TestKeys.bytes(charge));
    }

    /** Of one slot. */
    private static List<String> clients(int slot, int count) {
        return IntStream.range(0, 1_000_000)
                .mapToObj(i -> "client-" + i)
                .filter(client -> slot(charge(0, client, 1)) == slot)
                .limit(count)
                .toList();
    }

    private static void pause(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private void assertStaysUp(int millis) {
        pause(millis);
        assertThat(told).as("%s", told).extracting(StoreHealth::state).containsExactly(StoreHealth.State.UP);
        assertThat(store.health().shards()).allMatch(shard -> shard.state() == StoreHealth.State.UP);
    }

    /** The key that it was looked after with was in a slot that moved away: it was taken to be gone, for ever. */
    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void masterThatIsIdleStaysUpWhileAndAfterItsSlotsMove() {
        RedisProcess from = cluster.masters().get(0);
        RedisProcess to = cluster.masters().get(1);
        int[] moved = IntStream.range(0, SlotHash.SLOT_COUNT / 3).toArray();
        cluster.beginToMove(from, to, moved);
        assertStaysUp(1700);
        cluster.endMove(from, to, IntStream.range(0, moved.length - 10).toArray());
        assertStaysUp(2500);
    }

    /** Redirects name what nodes announce, and only their addresses were known: 60 of 60 decisions failed while a slot moved. */
    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void slotThatMovesBetweenNodesWithAnnouncedNamesIsDecidedByRedisAllTheTime() {
        RedisProcess from = cluster.masters().get(0);
        RedisProcess to = cluster.masters().get(1);
        try (RedisTestBed bed = new RedisTestBed(cluster.nodeUris())) {
            bed.servers().forEach(node -> {
                node.configSet("cluster-announce-hostname", "localhost");
                node.configSet("cluster-preferred-endpoint-type", "hostname");
            });
            RedisProcess.await(
                    "each node announces the names of all",
                    () -> bed.servers().stream()
                            .allMatch(node -> node.clusterNodes().split(",localhost", -1).length == 4));
            pause(2000); // the store asks every second and a half
            List<String> clients = clients(100, 3);
            assertThat(store.tryAcquire(List.of(charge(0, clients.get(0), 1000)))
                            .allowed())
                    .isTrue();
            cluster.beginToMove(from, to, 100);
            for (int i = 0; i < 20; i++) {
                for (String client : clients) {
                    assertThat(store.tryAcquire(List.of(charge(0, client, 1000)))
                                    .allowed())
                            .isTrue();
                }
            }
            cluster.endMove(from, to, 100);
            assertThat(store.tryAcquire(List.of(charge(0, clients.get(1), 1000)))
                            .allowed())
                    .isTrue();
        }
    }

    /** Each idle store made two connections every three seconds to each node, to ask for the topology. */
    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void idleStoreMakesNoConnections() {
        try (RedisTestBed bed = new RedisTestBed(cluster.nodeUris())) {
            List<String> before = connectionsReceived(bed);
            pause(3500);
            assertThat(connectionsReceived(bed)).isEqualTo(before);
        }
    }

    private static List<String> connectionsReceived(RedisTestBed bed) {
        return bed.servers().stream()
                .flatMap(node -> node.info("stats").lines())
                .filter(line -> line.startsWith("total_connections_received:"))
                .toList();
    }

    @Test
    void slotThatMovesToANewNodeIsDecidedByRedisAllTheTime() {
        long connections = store.statistics().connections();
        try (RedisProcess added = cluster.add()) {
            // A node without slots is connected to once the topology tells of it, and no operator moves slots to it
            // sooner.
            RedisProcess.await(
                    "the store has connected to the node",
                    () -> store.statistics().connections() > connections);
            List<String> clients = clients(100, 3);
            RedisProcess from = cluster.masters().get(0);
            assertThat(store.tryAcquire(List.of(charge(0, clients.get(0), 1000)))
                            .allowed())
                    .isTrue();
            cluster.beginToMove(from, added, 100);
            for (int i = 0; i < 30; i++) {
                for (String client : clients) {
                    assertThat(store.tryAcquire(List.of(charge(0, client, 1000)))
                                    .allowed())
                            .isTrue();
                }
            }
            cluster.endMove(from, added, 100);
            for (String client : clients) {
                Decision decision = store.tryAcquire(List.of(charge(0, client, 1000)));
                assertThat(decision.statuses().get(0).remaining())
                        .isEqualTo(client.equals(clients.get(0)) ? 1000 - 32 : 1000 - 31);
            }
            assertStaysUp(2000);
        }
    }

    /** One call had the keys of several clients, of which some were here and some there: a fifth of the decisions failed. */
    @Test
    void decisionsOnOneKeyEachAreExactAndRedisWhileTheirSlotMovesToAndFroUnderLoad() throws Exception {
        int slot = 100;
        long permits = 1500;
        List<Charge> charges = clients(slot, 4).stream()
                .map(client -> charge(0, client, permits))
                .toList();
        Map<Charge, AtomicLong> allowed = new ConcurrentHashMap<>();
        charges.forEach(charge -> allowed.put(charge, new AtomicLong()));
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        AtomicBoolean stopped = new AtomicBoolean();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    while (!stopped.get()) {
                        charges.forEach(charge -> take(charge, requireNonNull(allowed.get(charge)), thrown));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (int i = 0; i < 4; i++) {
            RedisProcess from = cluster.masters().get(i % 2);
            RedisProcess to = cluster.masters().get(1 - i % 2);
            cluster.beginToMove(from, to, slot);
            pause(200);
            cluster.moveKeys(slot, from, to, 2);
            pause(200);
            cluster.endMove(from, to, slot);
        }
        stopped.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(thrown).isEmpty();
        for (Charge charge : charges) {
            Decision look = store.tryAcquire(costing(List.of(charge), 0));
            assertThat(permits - look.statuses().get(0).remaining())
                    .isPositive()
                    .isEqualTo(requireNonNull(allowed.get(charge)).get());
        }
        assertStaysUp(0);
    }

    private void take(Charge charge, AtomicLong allowed, Queue<Throwable> thrown) {
        try {
            if (store.tryAcquire(List.of(charge)).allowed()) {
                allowed.incrementAndGet();
            }
        } catch (RuntimeException e) {
            thrown.add(e);
        }
        LockSupport.parkNanos(2_000_000);
    }

    /** The one that answered, by naming another, was judged by the other's silence. */
    @Test
    void masterThatSendsKeysToOneThatHangsStaysUp() throws Exception {
        RedisProcess hanging = cluster.masters().get(1);
        List<StoreHealth.Shard> down = new CopyOnWriteArrayList<>();
        try (RedisStore hasty = RedisStore.builder()
                .uri(cluster.uri())
                .timeout(Duration.ofMillis(100))
                .onHealthChange(health -> health.shards().stream()
                        .filter(shard -> shard.state() == StoreHealth.State.DOWN)
                        .forEach(down::add))
                .build()) {
            assertThat(hasty.awaitReady(Duration.ofSeconds(45))).isTrue();
            cluster.beginToMove(cluster.masters().get(0), hanging, 100);
            hanging.pause();
            List<Charge> charges = List.of(charge(0, clients(100, 1).get(0), 1000));
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> hasty.tryAcquire(charges)).isInstanceOf(StoreException.class);
            }
        } finally {
            hanging.resume();
        }
        assertThat(down).allMatch(shard -> shard.address().endsWith(":" + hanging.port()));
    }

    /** Redis says "ASK 100 :6379" then: the key was left to the policy for as long as its slot was being moved. */
    @Test
    void slotThatMovesToANodeOfTheSameHostIsDecidedByRedisAllTheTime() {
        try (RedisTestBed bed = new RedisTestBed(cluster.nodeUris())) {
            bed.servers().forEach(node -> node.configSet("cluster-preferred-endpoint-type", "unknown-endpoint"));
            Charge charge = charge(0, clients(100, 1).get(0), 1000);
            cluster.beginToMove(cluster.masters().get(0), cluster.masters().get(1), 100);
            assertThat(store.tryAcquire(List.of(charge)).allowed()).isTrue();
            cluster.endMove(cluster.masters().get(0), cluster.masters().get(1), 100);
            assertThat(store.tryAcquire(List.of(charge)).allowed()).isTrue();
        }
    }
}
