package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.method.MethodLimits;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** The methods that requests are mapped to: their adapter limits them, also where the class that they stand in is no controller. */
interface MappedMethods {

    void leaveToAdapter(MethodLimits limits);

    static void leaveToAdapter(HandlerMethod handler, MethodLimits limits) {
        Class<?> type = ClassUtils.getUserClass(handler.getBeanType());
        limits.leaveToAdapter(type, AopUtils.getMostSpecificMethod(handler.getMethod(), type));
    }
}
