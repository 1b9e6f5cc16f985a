package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Hashes of passwords that take no time, for servers whose tests are not about guessing them: each server hashes those of all accounts. */
public final class QuickHashes {

    private static final int LEAST_STRENGTH = 4;
    private static final String BEAN = "passwordHash";

    private QuickHashes() {}

    /** Lets a server that is starting use them. */
    public static void in(ConfigurableApplicationContext starting) {
        BeanFactoryPostProcessor replace = beans -> {
            GenericBeanDefinition quick = new GenericBeanDefinition();
            quick.setBeanClass(PasswordHash.class);
            quick.setInstanceSupplier(() -> new PasswordHash(
                    beans.getBean(CmsSettings.class).passwordHashes(), new BCryptPasswordEncoder(LEAST_STRENGTH)));
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
            registry.removeBeanDefinition(BEAN); // fails if there is none of this name any more
            registry.registerBeanDefinition(BEAN, quick);
        };
        starting.addBeanFactoryPostProcessor(replace);
    }
}
