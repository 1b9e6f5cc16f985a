package io.github.ratelimit.redis;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out the cases of the contract that take longest: for servers beside the usual one, which decide by the same script. {@code -Pfull}
 * runs them.
 */
final class ShortContract implements ExecutionCondition {

    private static final Set<String> LONG = Set.of(
            "callersAtTheTurnOfAWindowShareExactlyThePermits",
            "callersOfAFreshKeyShareExactlyThePermits",
            "callersOfOneRuleAndOfTwoShareExactlyThePermits",
            "compoundCallersInOppositeOrderDoNotWaitForEachOther",
            "compoundCallersTakeFromAllLimitersOrFromNone",
            "concurrencyLimitIsNeverExceededAndLosesNoPermit",
            "costAboveTheLimitNeverFitsInAnyShape",
            "decisionIsGivenBackOnceHoweverManyAskForIt",
            "everyRefundIsCountedBesideOthersRequests",
            "everyShapeKeepsThePromiseOfRetryAfter",
            "isRejectedUntilRetryAfterAndGrantedThen",
            "memoryComesBackOnceWindowsAreOver",
            "permitsAreThoseOfTheHoldersThatAreLeft",
            "refundDoesNotReachTheNextWindow",
            "refundDoesNotReachTheWindowThatAResetBegan",
            "resetForgetsWhatWasThereAndNothingThatComesAfter");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean isLong = context.getTestMethod()
                .filter(test -> LONG.contains(test.getName()))
                .isPresent();
        return isLong && !Boolean.getBoolean("full") ? disabled("only with -Pfull") : enabled("short, or -Pfull");
    }
}
