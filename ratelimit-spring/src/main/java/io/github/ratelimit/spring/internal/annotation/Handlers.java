package io.github.ratelimit.spring.internal.annotation;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** The controllers of Spring's web modules. */
public final class Handlers {

    private Handlers() {}

    /** The class behind a proxy, once there is a bean: a proxy of interfaces has no annotations. */
    public static Class<?> controller(HandlerMethod handler) {
        Object bean = handler.getBean();
        return bean instanceof String ? handler.getBeanType() : ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }
}
