package io.github.ratelimit.contract;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A plain store of one map and one lock, that is right unless it is told what to do wrong. */
final class FakeStore implements Store {

    /** What can be wrong, and the tests of the kit that must see it. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is a copy that nobody changes
    enum Fault {
        NONE,
        COUNTS_IN_STEPS_OF_TEN_SECONDS("agreesWithTheModel", "isRejectedUntilRetryAfterAndGrantedThen"),
        COUNTS_BY_THE_CALENDAR("calendarThatJumpsChangesNoDecision"),
        COMPARES_MOMENTS_BY_SIZE("agreesWithTheModel"),
        RESETS_IN_1970("agreesWithTheModel", "everyDecisionOfAWindowNamesTheSameReset"),
        TELLS_A_MILLISECOND_TOO_LITTLE("agreesWithTheModel", "isRejectedUntilRetryAfterAndGrantedThen"),
        LEAKS("memoryComesBackOnceWindowsAreOver"),
        NO_LOCK(
                "callersAtTheTurnOfAWindowShareExactlyThePermits",
                "everyRefundIsCountedBesideOthersRequests",
                "concurrencyLimitIsNeverExceededAndLosesNoPermit"),
        NO_LOCK_FOR_A_SINGLE_CHARGE("callersOfOneRuleAndOfTwoShareExactlyThePermits"),
        REFUND_WITHOUT_LOCK("everyRefundIsCountedBesideOthersRequests"),
        RESET_WITHOUT_LOCK("resetForgetsWhatWasThereAndNothingThatComesAfter"),
        REFUNDS_INTO_LATER_WINDOWS(
                "agreesWithTheModel",
                "refundAfterAWindowsEndGivesBackOnlyToTheWindowThatIsStillOpen",
                "refundDoesNotReachTheNextWindow",
                "refundDoesNotReachTheWindowThatAResetBegan",
                "resetForgetsAndAnEarlierDecisionGivesNothingBackAfterwards"),
        REFUNDS_TWICE(
                "agreesWithTheModel",
                "refundGivesBackOnceWhereItWasTaken",
                "decisionIsGivenBackOnceHoweverManyAskForIt"),
        REFUNDS_WHAT_WAS_REJECTED("agreesWithTheModel", "refundOfWhatTookNothingGivesNothingBack"),
        FORGETS_TO_REFUND("agreesWithTheModel", "refundGivesBackOnceWhereItWasTaken"),
        FORGETS_TO_RESET("agreesWithTheModel", "resetForgetsAndAnEarlierDecisionGivesNothingBackAfterwards"),
        TAKES_WHERE_IT_FITS(
                "agreesWithTheModel",
                "rejectedRequestTakesNothingFromOtherLimits",
                "compoundCallersTakeFromAllLimitersOrFromNone"),
        REJECTION_STARTS_WINDOWS("agreesWithTheModel", "rejectedRequestStartsNoWindow"),
        LOOK_STARTS_WINDOWS("agreesWithTheModel", "lookTakesNothingStartsNothingAndIsAlwaysAllowed"),
        LOOK_IS_REJECTED_BELOW_ZERO("lookTakesNothingStartsNothingAndIsAlwaysAllowed"),
        LOCKS_IN_THE_ORDER_OF_THE_CHARGES("compoundCallersInOppositeOrderDoNotWaitForEachOther"),
        ONE_COUNT_FOR_ALL_LIMITERS("countersDoNotMeet"),
        FRESH_COUNT_FOR_CHANGED_PERMITS("agreesWithTheModel", "changedLimitAppliesToTheCountThatIsThere"),
        FOLDS_CASE("countersDoNotMeet"),
        KNOWS_FOUR_CHARGES("manyChargesAreOneDecision"),
        COST_OVERFLOWS("costAboveTheLimitNeverFits"),
        TAKES_ANY_REQUEST("impossibleRequestsAreRejectedWithAReason"),
        ONE_COST_FOR_ALL_CHARGES("agreesWithTheModel", "keysOfOneLimitAreDecidedReadAndResetTogether"),
        TICKETS_LAST_A_THIRD_LONGER(
                "agreesWithTheModel",
                "permitsComeBackExactlyWhenTheirLeaseIsOver",
                "permitsAreThoseOfTheHoldersThatAreLeft",
                "holdersThatAreLateLostOrKilledLeaveTheLimitWhole"),
        TICKETS_END_A_STEP_EARLY("agreesWithTheModel", "permitsComeBackExactlyWhenTheirLeaseIsOver"),
        TICKETS_COUNT_FOR_ONE(
                "agreesWithTheModel",
                "permitsComeBackExactlyWhenTheirLeaseIsOver",
                "ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong",
                "ticketNamesWhatItsDecisionTookOfEachConcurrencyLimit",
                "permitsAreThoseOfTheHoldersThatAreLeft"),
        ENDED_TICKETS_COUNT(
                "agreesWithTheModel",
                "permitsComeBackExactlyWhenTheirLeaseIsOver",
                "renewedPermitOutlivesItsLeaseAndOneThatEndedIsNotRenewed",
                "permitsAreThoseOfTheHoldersThatAreLeft",
                "holdersThatAreLateLostOrKilledLeaveTheLimitWhole"),
        END_TAKES_ANOTHER_TICKET(
                "ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong",
                "resetRemovesAllTickets",
                "permitsAreThoseOfTheHoldersThatAreLeft",
                "holdersThatAreLateLostOrKilledLeaveTheLimitWhole"),
        SETTLEMENT_ENDS_TICKETS("agreesWithTheModel", "ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong"),
        END_IS_OF_THE_FIRST_COUNTER("agreesWithTheModel", "ticketNamesWhatItsDecisionTookOfEachConcurrencyLimit"),
        RENEWAL_CREATES(
                "ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong",
                "renewedPermitOutlivesItsLeaseAndOneThatEndedIsNotRenewed",
                "resetRemovesAllTickets",
                "ticketNamesWhatItsDecisionTookOfEachConcurrencyLimit",
                "permitsAreThoseOfTheHoldersThatAreLeft"),
        RENEWAL_IS_FORGOTTEN(
                "renewedPermitOutlivesItsLeaseAndOneThatEndedIsNotRenewed", "permitsAreThoseOfTheHoldersThatAreLeft"),
        RENEWAL_IS_ALWAYS_TRUE(
                "ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong",
                "renewedPermitOutlivesItsLeaseAndOneThatEndedIsNotRenewed",
                "resetRemovesAllTickets",
                "ticketNamesWhatItsDecisionTookOfEachConcurrencyLimit",
                "permitsAreThoseOfTheHoldersThatAreLeft"),
        RESET_KEEPS_TICKETS("agreesWithTheModel", "resetRemovesAllTickets", "permitsAreThoseOfTheHoldersThatAreLeft");

        final List<String> seenBy;

        Fault(String... seenBy) {
            this.seenBy = List.of(seenBy);
        }
    }

    /** A value. Knows which decisions took from it, so that only those are given back to it. */
    private record Window(long end, Instant reset, long used, Set<Decision> takenBy) {

        Window with(long used) {
            return new Window(end, reset, used, takenBy);
        }
    }

    /** What a decision took of a concurrency limit. */
    private record Ticket(long end, long cost) {}

    private static final Set<Fault> RACES = Set.of(
            Fault.NO_LOCK, Fault.NO_LOCK_FOR_A_SINGLE_CHARGE, Fault.REFUND_WITHOUT_LOCK, Fault.RESET_WITHOUT_LOCK);

    private final TestClock clock;
    private final Fault fault;
    private final AtomicInteger moments = new AtomicInteger();
    private final long start;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<List<Object>, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final Map<List<Object>, Window> windows = new ConcurrentHashMap<>();
    private final Map<List<Object>, Map<UUID, Ticket>> tickets = new ConcurrentHashMap<>();
    private int sinceCleared;

    FakeStore(TestClock clock, Fault fault) {
        this.clock = clock;
        this.fault = fault;
        this.start = clock.nanoTime();
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        if (fault != Fault.TAKES_ANY_REQUEST) {
            Store.requireValid(charges);
        }
        return CompletableFuture.completedFuture(locked(charges, () -> decide(charges)));
    }

    /** Stands still now and then, so that a race is lost on any machine, however busy its processors are elsewhere. */
    private void letOthersIn() {
        if (moments.incrementAndGet() % 8 == 0) {
            LockSupport.parkNanos(1_000);
        }
    }

    private <T> T locked(List<Charge> charges, Supplier<T> action) {
        if (fault == Fault.NO_LOCK || (fault == Fault.NO_LOCK_FOR_A_SINGLE_CHARGE && charges.size() == 1)) {
            return action.get();
        }
        List<ReentrantLock> taken = fault == Fault.LOCKS_IN_THE_ORDER_OF_THE_CHARGES
                ? charges.stream()
                        .map(charge -> locks.computeIfAbsent(counter(charge), unused -> new ReentrantLock()))
                        .toList()
                : List.of(lock);
        for (ReentrantLock each : taken) {
            if (fault == Fault.LOCKS_IN_THE_ORDER_OF_THE_CHARGES) {
                letOthersIn();
            }
            each.lock();
        }
        try {
            return action.get();
        } finally {
            taken.forEach(ReentrantLock::unlock);
        }
    }

    private Decision decide(List<Charge> asked) {
        List<Charge> charges = fault == Fault.ONE_COST_FOR_ALL_CHARGES
                ? asked.stream()
                        .map(charge -> charge.withCost(asked.get(0).cost()))
                        .toList()
                : asked;
        long now = now();
        clearNowAndThen(now);
        boolean allowed = charges.stream()
                .limit(fault == Fault.KNOWS_FOUR_CHARGES ? 4 : Integer.MAX_VALUE)
                .allMatch(charge -> fits(charge, now));
        UUID ticket = UUID.randomUUID();
        List<Set<Decision>> taken = new ArrayList<>();
        for (Charge charge : charges) {
            long cost = charge.cost();
            boolean starts = (allowed && cost > 0)
                    || (!allowed && fault == Fault.REJECTION_STARTS_WINDOWS)
                    || (cost == 0 && fault == Fault.LOOK_STARTS_WINDOWS);
            boolean fits = allowed || (fault == Fault.TAKES_WHERE_IT_FITS && fits(charge, now));
            if (charge.limit().shape().isConcurrent()) {
                if (fits && cost > 0) {
                    if (RACES.contains(fault)) {
                        letOthersIn();
                    }
                    tickets(charge).put(ticket, ticket(charge, now));
                }
            } else if (starts || (fits && cost > 0)) {
                Window window = openOrNew(charge, now);
                if (RACES.contains(fault)) {
                    letOthersIn();
                }
                windows.put(counter(charge), window.with(window.used + (fits ? cost : 0)));
                taken.add(window.takenBy);
            }
        }
        List<LimitStatus> statuses = IntStream.range(0, asked.size())
                .mapToObj(i -> status(asked.get(i), charges.get(i), allowed, now))
                .toList();
        Decision decision = Decision.of(this, statuses, ticket);
        taken.forEach(decisions -> decisions.add(decision));
        return decision;
    }

    private LimitStatus status(Charge asked, Charge charge, boolean allowed, long now) {
        long cost = charge.cost();
        Limit limit = charge.limit();
        Window window = open(charge, now);
        long used = used(charge, now);
        Duration resetAfter = window == null ? Duration.ZERO : Duration.ofNanos(window.end - now);
        Instant resetAt = window == null ? clock.instant() : window.reset;
        if (limit.shape().isConcurrent()) {
            resetAfter = Duration.ofNanos(tickets(charge).values().stream()
                    .mapToLong(ticket -> Math.max(0, ticket.end - now))
                    .max()
                    .orElse(0));
            resetAt = clock.instant().plus(resetAfter).plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
        }
        Optional<Duration> retryAfter = Optional.of(Duration.ZERO);
        if (!allowed && !fits(charge, now)) {
            Duration wait = limit.shape().isConcurrent() ? Shape.CONCURRENT_RETRY : resetAfter;
            retryAfter = cost > limit.permits() ? Optional.empty() : Optional.of(wait);
        }
        if (fault == Fault.TELLS_A_MILLISECOND_TOO_LITTLE) {
            retryAfter = retryAfter.map(wait -> wait.toMillis() > 1 ? wait.minusMillis(1) : wait);
        }
        return LimitStatus.of(
                asked,
                Math.min(limit.permits(), Math.max(0, limit.permits() - used)),
                resetAfter,
                fault == Fault.RESETS_IN_1970 ? Instant.EPOCH : resetAt,
                retryAfter);
    }

    private boolean fits(Charge charge, long now) {
        long cost = charge.cost();
        long used = used(charge, now);
        if (fault == Fault.COST_OVERFLOWS) {
            return cost == 0 || used + cost + 1 <= charge.limit().permits() + 1;
        }
        return (cost == 0 && fault != Fault.LOOK_IS_REJECTED_BELOW_ZERO)
                || cost <= charge.limit().permits() - used;
    }

    private long used(Charge charge, long now) {
        if (charge.limit().shape().isConcurrent()) {
            return tickets(charge).values().stream()
                    .filter(ticket -> ticket.end - now > 0 || fault == Fault.ENDED_TICKETS_COUNT)
                    .mapToLong(ticket -> fault == Fault.TICKETS_COUNT_FOR_ONE ? 1 : ticket.cost)
                    .sum();
        }
        Window window = open(charge, now);
        return window == null ? 0 : window.used;
    }

    private Map<UUID, Ticket> tickets(Charge charge) {
        return tickets.computeIfAbsent(counter(charge), unused -> new ConcurrentHashMap<>());
    }

    private Ticket ticket(Charge charge, long now) {
        long lease = charge.limit().window().toNanos();
        long wrong = switch (fault) {
            case TICKETS_LAST_A_THIRD_LONGER -> lease / 3;
            case TICKETS_END_A_STEP_EARLY -> -1_000_000;
            default -> 0;
        };
        return new Ticket(now + lease + wrong, charge.cost());
    }

    private @Nullable Window open(Charge charge, long now) {
        Window window = windows.get(counter(charge));
        return window == null || isOver(window, now) ? null : window;
    }

    private Window openOrNew(Charge charge, long now) {
        Window open = open(charge, now);
        if (open != null) {
            return open;
        }
        Duration length = charge.limit().window();
        Set<Decision> takenBy = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        return new Window(now + length.toNanos(), clock.instant().plus(length), 0, takenBy);
    }

    private boolean isOver(Window window, long now) {
        if (fault == Fault.COMPARES_MOMENTS_BY_SIZE) {
            return now >= window.end;
        }
        return now - window.end >= 0;
    }

    private long now() {
        return switch (fault) {
            case COUNTS_IN_STEPS_OF_TEN_SECONDS ->
                start + (clock.nanoTime() - start) / 10_000_000_000L * 10_000_000_000L;
            case COUNTS_BY_THE_CALENDAR -> clock.millis() * 1_000_000;
            default -> clock.nanoTime();
        };
    }

    private void clearNowAndThen(long now) {
        if (fault != Fault.LEAKS && ++sinceCleared > 500) {
            sinceCleared = 0;
            windows.values().removeIf(window -> isOver(window, now));
            if (fault != Fault.ENDED_TICKETS_COUNT) {
                tickets.values().forEach(those -> those.values().removeIf(ticket -> ticket.end - now <= 0));
            }
        }
    }

    private List<Object> counter(Charge charge) {
        Limit limit = charge.limit();
        return List.of(
                fault == Fault.ONE_COUNT_FOR_ALL_LIMITERS ? "" : charge.limiter(),
                fault == Fault.FRESH_COUNT_FOR_CHANGED_PERMITS ? limit.permits() : 0,
                limit.name(),
                limit.window(),
                limit.shape().kind(),
                fault == Fault.FOLDS_CASE ? charge.key().encoded().toLowerCase(Locale.ROOT) : charge.key());
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        if (fault != Fault.FORGETS_TO_REFUND && (decision.allowed() || fault == Fault.REFUNDS_WHAT_WAS_REJECTED)) {
            if (fault == Fault.REFUND_WITHOUT_LOCK) {
                settle(decision, actual);
            } else {
                locked(decision.charges(), () -> settle(decision, actual));
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private boolean settle(Decision decision, ToLongFunction<Charge> actual) {
        AtomicBoolean once = new AtomicBoolean();
        decision.settleOnce(this, () -> {
            once.set(true);
            return CompletableFuture.completedFuture(null);
        });
        boolean first = once.get();
        boolean ends = true;
        for (Charge charge : decision.charges()) {
            if (charge.limit().shape().isConcurrent()) {
                ends &= decision.ticket().isPresent() && first;
                if (ends && (actual.applyAsLong(charge) == 0 || fault == Fault.SETTLEMENT_ENDS_TICKETS)) {
                    end(charge, decision.ticket().orElseThrow());
                    ends = fault != Fault.END_IS_OF_THE_FIRST_COUNTER;
                }
                continue;
            }
            long more = actual.applyAsLong(charge) - charge.cost();
            Window window = more > 0 && first ? openOrNew(charge, now()) : open(charge, now());
            boolean from = window != null
                    && switch (fault) {
                        case REFUNDS_INTO_LATER_WINDOWS -> first;
                        case REFUNDS_TWICE -> window.takenBy.contains(decision);
                        case REFUNDS_WHAT_WAS_REJECTED -> true;
                        default -> first && (more > 0 || window.takenBy.contains(decision));
                    };
            if (window != null && from) {
                if (RACES.contains(fault)) {
                    letOthersIn();
                }
                windows.put(counter(charge), window.with(Math.max(0, window.used + more)));
            }
        }
        return first;
    }

    private void end(Charge charge, UUID ticket) {
        Map<UUID, Ticket> there = tickets(charge);
        if (there.remove(ticket) == null && fault == Fault.END_TAKES_ANOTHER_TICKET) {
            there.keySet().stream().findFirst().ifPresent(there::remove);
        }
    }

    @Override
    public CompletableFuture<Boolean> renewAsync(Decision decision) {
        return CompletableFuture.completedFuture(locked(decision.charges(), () -> renew(decision)));
    }

    private boolean renew(Decision decision) {
        long now = now();
        boolean renewed = true;
        for (Charge charge : decision.charges()) {
            if (charge.limit().shape().isConcurrent() && charge.cost() > 0) {
                Ticket before = tickets(charge).get(decision.ticket().orElseThrow());
                boolean there = before != null && before.end - now > 0;
                if ((there && fault != Fault.RENEWAL_IS_FORGOTTEN) || fault == Fault.RENEWAL_CREATES) {
                    tickets(charge).put(decision.ticket().orElseThrow(), ticket(charge, now));
                }
                renewed &= there;
            }
        }
        return renewed || fault == Fault.RENEWAL_IS_ALWAYS_TRUE;
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        if (fault != Fault.TAKES_ANY_REQUEST) {
            Store.requireValid(charges);
        }
        if (fault == Fault.RESET_WITHOUT_LOCK) {
            forget(charges);
        } else if (fault != Fault.FORGETS_TO_RESET) {
            locked(charges, () -> forget(charges));
        }
        return CompletableFuture.completedFuture(null);
    }

    private int forget(List<Charge> charges) {
        charges.forEach(charge -> windows.remove(counter(charge)));
        if (fault != Fault.RESET_KEEPS_TICKETS) {
            charges.forEach(charge -> tickets.remove(counter(charge)));
        }
        return charges.size();
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return kind == Shape.Kind.FIXED || kind == Shape.Kind.CONCURRENT;
    }

    @Override
    public TimeSource time() {
        return clock;
    }
}
