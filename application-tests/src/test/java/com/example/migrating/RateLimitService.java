package com.example.migrating;

import org.springframework.stereotype.Service;

@Service
class RateLimitService {}
